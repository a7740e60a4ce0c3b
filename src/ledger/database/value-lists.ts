import {
  type BinaryOperationNode,
  type Expression,
  expressionBuilder,
  type OperationNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type SqlBool,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { LedgerTables } from './schema.ts';

// A list of values in a condition is one parameter. The databases limit the number of parameters, and so a statement is also the
// same for any number of values.

/** Whether a column has one of these values: `where(column, 'in', values)`, as part of an SQL text. */
export function isOneOf(column: string, values: readonly string[] | readonly number[]): Expression<SqlBool> {
  return expressionBuilder<LedgerTables>()(sql<string | number>`${sql.ref(column)}`, 'in', values);
}

export class SqliteListCompiler extends SqliteQueryCompiler {
  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (isInserted(this.parentNode)) super.visitPrimitiveValueList(node);
    else {
      this.append('(select value from json_each(');
      this.appendValue(JSON.stringify(node.values));
      this.append('))');
    }
  }
}

export class PostgresListCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node;
    if (PrimitiveValueListNode.is(rightOperand)) {
      this.visitNode(leftOperand);
      this.append('operator' in operator && operator.operator === 'in' ? ' = any(' : ' <> all(');
      this.appendValue(rightOperand.values);
      this.append(')');
    } else super.visitBinaryOperation(node);
  }
}

/** The values of a row that is inserted. */
function isInserted(parent: OperationNode | undefined): boolean {
  return parent?.kind === 'ValuesNode';
}
