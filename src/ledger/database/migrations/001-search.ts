/** The attributes by whose words people find a record, besides its key and its day. */
const SEARCHED = ['title', 'displayName', 'firstName', 'lastName', 'username', 'email'];
/** Characters of a value that are searched. */
const LONGEST = 300;

/** The words of a record: its key and attributes, its day and its sync (see `dayTerm` and `syncTerm` of core/text/search-terms.ts). */
const words = [
  ...['key', ...SEARCHED.map((name) => `(payload ->> '$.${name}')`)].map(
    (value) => `coalesce(substr(${value}, 1, ${LONGEST}), '')`,
  ),
  "'d' || replace(coalesce(starts_on, ''), '-', '')",
  "'s' || lower(hex(sync))",
].join(" || ' ' || ");
const addWords = 'insert into search_words (rowid, words) select id, words from record_words where id = new.id';
// The index reads in the view which words it has of a record: before these change.
const removeWords = 'delete from search_words where rowid = old.id';
const changes = `update of sync, key, wanted, starts_on on records
  when (new.sync, new.key, new.wanted, new.starts_on) is not (old.sync, old.key, old.wanted, old.starts_on)`;

const sqlite = [
  `create view record_words as select records.id, ${words} as words from records left join contents on contents.id = records.wanted`,
  `create virtual table search_words using fts5(
    words, content='record_words', content_rowid='id', columnsize=0, tokenize='unicode61 remove_diacritics 2'
  )`,
  `create trigger records_search_insert after insert on records begin ${addWords}; end`,
  `create trigger records_search_replace before ${changes} begin ${removeWords}; end`,
  `create trigger records_search_update after ${changes} begin ${addWords}; end`,
  `create trigger records_search_delete before delete on records begin ${removeWords}; end`,
];

const values = ['of_key', ...SEARCHED.map((name) => `content ->> '${name}'`)];

const postgres = [
  `create table search_words (
    id bigint primary key references records (id) on delete cascade, words tsvector not null
  )`,
  // Only UTF-8 can be normalized. The parser of PostgreSQL would keep an address as one word
  String.raw`create function search_words(of_sync text, of_key text, wanted bigint, starts_on text) returns tsvector
  language plpgsql stable as $$
  declare
    content json := (select payload::json from contents where id = wanted);
    found text := lower(concat_ws(' ', ${values.map((value) => `left(${value}, ${LONGEST})`).join(', ')}));
  begin
    if getdatabaseencoding() = 'UTF8' then
      found := regexp_replace(normalize(found, nfkd), '[\u0300-\u036f]', '', 'g');
    end if;
    found := regexp_replace(found, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+', ' ', 'g');
    return to_tsvector('pg_catalog.simple',
      concat_ws(' ', found, 'd' || replace(starts_on, '-', ''), 's' || encode(convert_to(of_sync, 'UTF8'), 'hex')));
  end $$`,
  'create index search_words_index on search_words using gin (words)',
  `create function keep_search_entry() returns trigger language plpgsql as $$
  begin
    insert into search_words (id, words) values (new.id, search_words(new.sync, new.key, new.wanted, new.starts_on))
      on conflict (id) do update set words = excluded.words where search_words.words <> excluded.words;
    return null;
  end $$`,
  `create function add_search_entries() returns trigger language plpgsql as $$
  begin
    insert into search_words (id, words) select id, search_words(sync, key, wanted, starts_on) from added;
    return null;
  end $$`,
  `create trigger records_search after insert on records referencing new table as added
    for each statement execute function add_search_entries()`,
  `create trigger records_search_update after update of sync, key, wanted, starts_on on records
    for each row
    when ((new.sync, new.key, new.wanted, new.starts_on) is distinct from (old.sync, old.key, old.wanted, old.starts_on))
    execute function keep_search_entry()`,
];

/** The index of the words by which people search for records. Triggers keep it in the transactions that change records. */
export const searchIndex = { sqlite, postgres };
