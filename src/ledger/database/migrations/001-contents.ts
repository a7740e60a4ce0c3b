// A content belongs to one record or row of a plan, or to both. It goes with the last of them, whoever changes or deletes that.

const ofOld = 'id in (old.wanted, old.has)';
/** A retry points to what its record wants, and an approval has a copy of the plan that was held. */
const isUsed = (row: 'old' | 'gone') => `
  exists (
    select 1 from runs join records on records.sync = runs.sync and records.key = ${row}.key
    where runs.id = ${row}.run and contents.id in (records.wanted, records.has)
  )
  or exists (select 1 from staged_changes where staged_changes.wanted = contents.id)
  or exists (select 1 from staged_changes where staged_changes.has = contents.id)`;

const isDropped = (id: string) =>
  `(${id} is not null and ${id} is distinct from new.wanted and ${id} is distinct from new.has)`;
const dropsAny = `${isDropped('old.wanted')} or ${isDropped('old.has')}`;
const dropOfRecord = `delete from contents where ${ofOld} and id is distinct from new.wanted and id is distinct from new.has`;
const dropOfStaged = `delete from contents where ${ofOld} and not (${isUsed('old')})`;

const sqlite = [
  `create trigger records_contents_update after update of wanted, has on records when ${dropsAny} begin ${dropOfRecord}; end`,
  `create trigger records_contents_delete after delete on records begin delete from contents where ${ofOld}; end`,
  `create trigger staged_contents_update after update of wanted, has on staged_changes when ${dropsAny} begin ${dropOfStaged}; end`,
  `create trigger staged_contents_delete after delete on staged_changes
    when old.wanted is not null or old.has is not null begin ${dropOfStaged}; end`,
];

const triggerFunction = (name: string, statement: string) =>
  `create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`;

// Plans are deleted as a whole: one statement drops their contents, because to plan one for each row would take longer than all the rest.
const postgres = [
  triggerFunction('drop_record_contents', dropOfRecord),
  triggerFunction('drop_staged_contents', dropOfStaged),
  triggerFunction(
    'drop_plan_contents',
    `delete from contents using (
      select run, key, wanted as id from plans where wanted is not null union select run, key, has from plans where has is not null
    ) as gone where contents.id = gone.id and not (${isUsed('gone')})`,
  ),
  `create trigger records_contents_update after update of wanted, has on records for each row
    when (${dropsAny}) execute function drop_record_contents()`,
  'create trigger records_contents_delete after delete on records for each row execute function drop_record_contents()',
  `create trigger staged_contents_update after update of wanted, has on staged_changes for each row
    when (${dropsAny}) execute function drop_staged_contents()`,
  `create trigger staged_contents_delete after delete on staged_changes referencing old table as plans
    for each statement execute function drop_plan_contents()`,
];

/** Drops the contents to which nothing points any longer. */
export const droppedContents = { sqlite, postgres };
