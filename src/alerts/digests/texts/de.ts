import type { Texts } from './texts.ts';

const quoted = (text: string) => `„${text}“`;

export const de: Texts = {
  language: 'de',
  quoted,
  where: (columns, isTable) => {
    const [one, several] = isTable ? ['in der Spalte', 'in den Spalten'] : ['im Feld', 'in den Feldern'];
    if (columns.length === 0) return '';
    return ` ${columns.length === 1 ? one : several} ${columns.map(quoted).join(', ')}`;
  },
  someValue: 'Ein Wert',
  mistakes: {
    date: (value, where) => `${value}${where} ist kein gültiges Datum und keine gültige Uhrzeit.`,
    missing: (_, where) => `Ein Wert fehlt${where}.`,
    key: (_, where) => `Was diesen Eintrag von anderen unterscheidet, fehlt${where}.`,
    duplicate: (value, where) => `${value}${where} kommt mehrmals vor, aber die Einträge unterscheiden sich.`,
    lookup: (value, where) => `${value}${where} gehört nicht zu den Werten, die wir kennen.`,
    malformed: () => 'Dieser Teil des Feeds ist nicht lesbar.',
    email: (value, where) => `${value}${where} ist keine E-Mail-Adresse.`,
    web: (value, where) => `${value}${where} ist keine Webadresse.`,
    yesNo: (value, where) => `${value}${where} bedeutet weder Ja noch Nein.`,
    value: (value, where) => `${value}${where} lässt sich so nicht veröffentlichen.`,
    noDay: (value, where) => `${value}${where} ist ein Tag, den Programme schreiben, wenn keiner angegeben ist.`,
    alt: (_, where) => `Das Bild${where} hat keine Beschreibung.`,
    short: (value, where, limit) => `${value}${where} hat weniger als ${limit} Zeichen.`,
    long: (value, where, limit) => `${value}${where} hat mehr als ${limit} Zeichen.`,
    narrow: (_, where, limit) => `Das Bild${where} ist weniger als ${limit} Pixel breit.`,
  },
  fixes: {
    date: (_, example) =>
      `Bitte korrigieren Sie die Angabe und schreiben Sie sie so wie ${example ? `hier: ${example}.` : 'in den anderen Einträgen.'}`,
    missing: 'Bitte ergänzen Sie die Angabe.',
    key: 'Bitte geben Sie dem Eintrag eine eigene Nummer oder Bezeichnung.',
    duplicate:
      'Bitte geben Sie jedem Eintrag eine eigene Nummer oder Bezeichnung, oder löschen Sie überzählige Einträge.',
    lookup: 'Bitte prüfen Sie die Schreibweise. Wenn der Wert stimmt, sagen Sie uns Bescheid, damit wir ihn aufnehmen.',
    malformed:
      'Bitte prüfen Sie, ob hier ein Anführungszeichen, ein Trennzeichen oder eine Klammer fehlt oder zu viel ist.',
    email: 'Bitte korrigieren Sie die Adresse. Sie sieht aus wie name@example.org.',
    web: 'Bitte korrigieren Sie die Adresse. Sie sieht aus wie https://www.example.org/seite.',
    yesNo: 'Bitte schreiben Sie Ja oder Nein.',
    value: 'Bitte korrigieren Sie die Angabe. Wenn sie stimmt, sagen Sie uns Bescheid.',
    noDay: 'Bitte schreiben Sie den richtigen Tag.',
    alt: (where) => `Bitte schreiben Sie eine${where}.`,
    short: 'Bitte schreiben Sie mehr.',
    long: 'Bitte kürzen Sie die Angabe.',
    narrow: 'Bitte verwenden Sie ein größeres.',
  },
  files: {
    unreadable: (where) =>
      `Die Datei${where} ist nicht lesbar. Bitte prüfen Sie, ob ihr Name oder ihre Adresse stimmt und ob es sie noch gibt.`,
    type: (where) => `Die Datei${where} ist weder ein Bild noch ein PDF. Bitte verwenden Sie eines davon.`,
    large: (where) => `Die Datei${where} ist zu groß. Bitte verwenden Sie eine kleinere.`,
    outside: (where) =>
      `Die Datei${where} liegt in einem Ordner, den wir nicht lesen dürfen. Bitte legen Sie sie in den Ordner des Feeds.`,
  },
  feeds: {
    missing:
      'Die Datei ist nicht mehr da, wo der Feed bisher war. Bitte legen Sie sie wieder dorthin, oder sagen Sie uns, wo sie jetzt ist.',
    refused:
      'Der Server gibt ihn uns nicht. Öffnen Sie die Adresse des Feeds in einem privaten Fenster eines Browsers: Sie sollten den Feed sehen und keine Fehlermeldung. Wenn der Feed umgezogen ist, nennen Sie uns bitte die neue Adresse.',
    silent:
      'Der Server antwortet nicht rechtzeitig. Öffnen Sie die Adresse des Feeds in einem Browser, um zu sehen, ob sie dort funktioniert.',
    format:
      'Was wir bekommen, ist nicht der Feed, oder er ist beschädigt. Öffnen Sie seine Adresse in einem privaten Fenster eines Browsers: Sie sollten den Feed selbst sehen und keine Seite zum Lesen oder Anmelden.',
    columns: 'Es fehlen Spalten, die wir brauchen. Bitte nennen Sie die Spalten so wie bisher.',
    large:
      'Er ist viel größer geworden, als er sein darf. Bitte prüfen Sie den Inhalt. Wenn er stimmt, sagen Sie uns Bescheid.',
    letters: 'Seine Buchstaben lassen sich nicht entziffern. Bitte speichern Sie die Datei als UTF-8.',
    part: 'Er bricht zu früh ab. Bitte speichern Sie ihn neu, oder prüfen Sie das Programm, das ihn schreibt.',
  },
  places: { line: 'Zeile', row: 'Zeile', entry: 'Eintrag', page: 'Seite', event: 'Termin' },
  subjects: {
    unread: (feed) => `Wir können Ihren Feed ${feed} nicht lesen`,
    empty: (feed) => `Ihr Feed ${feed} enthält keine Einträge`,
    rejected: (feed, count, isOne) =>
      isOne
        ? `Ein Eintrag Ihres Feeds ${feed} lässt sich nicht veröffentlichen`
        : `${count} Einträge Ihres Feeds ${feed} lassen sich nicht veröffentlichen`,
    cancelled: (feed) => `Abgesagte Termine Ihres Feeds ${feed} stehen noch auf der Website`,
    files: (feed) => `Bilder Ihres Feeds ${feed} lassen sich nicht verwenden`,
    over: (feed) => `Ihr Feed ${feed} enthält keine kommenden Termine`,
    well: (feed) => `Ihr Feed ${feed} ist wieder in Ordnung`,
    test: (feed) => `Testnachricht zu Ihrem Feed ${feed}`,
  },
  hello: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  read: (feed, time) => `Wir haben Ihren Feed ${feed} zuletzt am ${time} gelesen.`,
  heads: {
    unread: 'Der Feed ist nicht lesbar',
    empty: 'Keine Einträge',
    rejected: 'Einträge, die sich nicht veröffentlichen lassen',
    cancelled: 'Abgesagt, aber noch auf der Website',
    files: 'Bilder und Dateien, die sich nicht verwenden lassen',
    over: 'Keine kommenden Termine',
  },
  unread: (since, isPartly) =>
    `Seit dem ${since} konnten wir den Feed nicht vollständig lesen. ${isPartly ? 'Was wir lesen konnten, ist veröffentlicht; entfernt wird nichts.' : 'Bis es wieder gelingt, zeigt die Website den Stand von damals.'}`,
  empty:
    'Ihr Feed enthält keine Einträge. Die bisherigen verschwinden nicht von selbst von der Website. Bitte prüfen Sie, ob der Feed richtig geschrieben wird.',
  over: (day) => `Der letzte Termin in Ihrem Feed war am ${day}. Bitte prüfen Sie, ob der Feed noch gepflegt wird.`,
  rejected: (count, all, isOne) =>
    isOne
      ? `${count} von ${all} Einträgen fehlt auf der Website oder steht dort wie bisher.`
      : `${count} von ${all} Einträgen fehlen auf der Website oder stehen dort wie bisher.`,
  news: (count) => `Neu seit unserer letzten Nachricht: ${count}.`,
  waiting: (count) => `Neue Einträge, die die Redaktion der Website noch ansieht: ${count}.`,
  cancelled:
    'In Ihrem Feed sind diese Einträge abgesagt oder privat. Wenn sie von der Website verschwinden sollen, sagen Sie uns bitte Bescheid.',
  filesMissing: 'Die Website zeigt diese Einträge ohne die Datei oder mit einer früheren.',
  more: (count) => `… und ${count} weitere`,
  attached:
    'Die angehängte Tabelle enthält sie mit ihren Angaben. Sie lässt sich mit jeder Tabellenkalkulation öffnen.',
  closing: 'Was Sie im Feed korrigieren, wird von selbst veröffentlicht.',
  link: (until) => `Diese Seite zeigt, was zurzeit nicht stimmt. Der Link gilt bis zum ${until}:`,
  signed:
    'Diese Nachricht hat ein Programm geschrieben; Ihre Antwort lesen Menschen. Das Programm schreibt wieder, wenn etwas Neues nicht stimmt und wenn alles in Ordnung ist.',
  well: 'Alles, worüber wir Ihnen geschrieben haben, ist in Ordnung. Es ist nichts mehr zu tun.',
  nothing: 'Mit Ihrem Feed ist alles in Ordnung.',
  unsettled: 'Ihr Feed ist zurzeit nicht vollständig veröffentlicht. Die Betreiber der Website kümmern sich darum.',
  page: (feed) => `Ihr Feed ${feed}`,
  test: 'Dies ist nur ein Test: Alles ist in Ordnung. Wenn mit Ihrem Feed etwas nicht stimmt, kommt eine Nachricht an diese Adresse.',
  table: { name: 'eintraege', place: 'Stelle', entry: 'Eintrag', mistake: 'Was nicht stimmt', fix: 'Was zu tun ist' },
};
