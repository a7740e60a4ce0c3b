// A content belongs to one record or row of a plan, or to both. It goes with the last of them, whoever changes or deletes that.

const ofOld = 'id in (old.wanted, old.has)';
/** A retry points to what its record wants, and an approval has a copy of the plan that was held. */
const isUsed = `
  exists (
    select 1 from runs join records on records.sync = runs.sync and records.key = old.key
    where runs.id = old.run and contents.id in (records.wanted, records.has)
  )
  or exists (select 1 from staged_changes where staged_changes.wanted = contents.id)
  or exists (select 1 from staged_changes where staged_changes.has = contents.id)`;

const isReplaced = (differs: string) => `old.wanted ${differs} new.wanted or old.has ${differs} new.has`;
const hadAny = 'old.wanted is not null or old.has is not null';

const sqlite = [
  `create trigger records_contents_update after update of wanted, has on records when ${isReplaced('is not')} begin
    delete from contents where ${ofOld} and id is not new.wanted and id is not new.has;
  end`,
  `create trigger records_contents_delete after delete on records begin delete from contents where ${ofOld}; end`,
  ...['update of wanted, has', 'delete'].map(
    (event, index) => `create trigger staged_contents_${index} after ${event} on staged_changes when ${hadAny} begin
      delete from contents where ${ofOld} and not (${isUsed});
    end`,
  ),
];

const postgres = [
  `create function drop_record_contents() returns trigger language plpgsql as $$
  begin
    delete from contents where ${ofOld} and id is distinct from new.wanted and id is distinct from new.has;
    return null;
  end $$`,
  `create function drop_staged_contents() returns trigger language plpgsql as $$
  begin
    delete from contents where ${ofOld} and not (${isUsed});
    return null;
  end $$`,
  `create trigger records_contents_update after update of wanted, has on records for each row
    when (${isReplaced('is distinct from')}) execute function drop_record_contents()`,
  'create trigger records_contents_delete after delete on records for each row execute function drop_record_contents()',
  ...['update of wanted, has', 'delete'].map(
    (event, index) => `create trigger staged_contents_${index} after ${event} on staged_changes for each row
      when (${hadAny}) execute function drop_staged_contents()`,
  ),
];

/** Drops the contents to which nothing points any longer. */
export const droppedContents = { sqlite, postgres };
