import { describe, expect, test } from 'vitest';
import { proposalFor, rulesOf, table } from './setup.ts';

describe('Accounts', () => {
  test.each([
    [['First Name', 'Last Name', 'Email Address', 'Job Title', 'Dept', 'Phone', 'Cell']],
    [['Vorname', 'Nachname', 'E-Mail-Adresse', 'Funktion', 'Abteilung', 'Telefon', 'Handy']],
    [['givenName', 'sn', 'mail', 'title', 'ou', 'telephoneNumber', 'mobile']],
    [['Prénom', 'Nom', 'Courriel', 'Poste', 'Service', 'Téléphone', 'Portable']],
    [
      [
        'name.first',
        'name.last',
        'contact.email',
        'position',
        'org.department',
        'contact.phones.office',
        'contact.phones.mobile',
      ],
    ],
  ])('are recognised by %j', (columns) => {
    const flat = table(
      columns,
      ['Ada', 'Lovelace', 'ada@example.edu', 'Professor', 'Mathematics', '+44 20 7946 0001', '+44 7700 900001'],
      ['Alan', 'Turing', 'alan@example.edu', 'Reader', 'Computing', '+44 20 7946 0002', '+44 7700 900002'],
    );
    const proposal = proposalFor(flat);
    expect(proposal).toMatchObject({ resource: { value: 'accounts' }, open: [] });
    expect(rulesOf(proposal)).toEqual({
      email: columns[2],
      firstName: columns[0],
      lastName: columns[1],
      title: columns[3],
      department: columns[4],
      phoneOffice: columns[5],
      phoneMobile: columns[6],
    });
    expect(proposal.key.value).toBe(columns[2]);
  });

  test('are known by their number before their address', () => {
    const rows = table(
      ['employee_id', 'name', 'email', 'status'],
      ['7', 'Ada', 'ada@example.edu', 'active'],
      ['9', 'Alan', 'alan@example.edu', 'terminated'],
    );
    const proposal = proposalFor(rows);
    expect(proposal.key.value).toBe('employee_id');
    expect(proposal.source.deleted?.value).toEqual({ field: 'status', is: 'terminated' });
  });

  test('do not take a form of address for a job title', () => {
    const rows = table(
      ['title', 'firstname', 'lastname', 'role'],
      ['Dr.', 'Ada', 'Lovelace', 'Professor'],
      ['Mr', 'Alan', 'Turing', 'Reader'],
    );
    expect(rulesOf(proposalFor(rows)).title).toBe('role');
  });

  test('with a date of hire are no events', () => {
    const rows = table(
      ['name', 'email', 'start_date'],
      ['Ada', 'ada@example.edu', '2020-01-01'],
      ['Alan', 'alan@example.edu', '2021-02-03'],
    );
    expect(proposalFor(rows).open.map(({ id }) => id)).toContain('resource');
  });

  test('with days without a year are in question', () => {
    const rows = table(
      ['name', 'email', 'date'],
      ['Ada Lovelace', 'ada@example.edu', '10/18'],
      ['Alan Turing', 'alan@example.edu', '10/25'],
    );
    const { open, resource } = proposalFor(rows);
    expect(resource.value).toBe('accounts');
    expect(open.map(({ id }) => id)).toEqual(['resource']);
  });

  test('whose only name has the first and the last name', () => {
    const rows = table(['nom', 'email'], ['Ada Lovelace', 'ada@example.edu'], ['Alan Turing', 'alan@example.edu']);
    expect(rulesOf(proposalFor(rows))).toMatchObject({ displayName: 'nom' });
  });
});

test('Another person in a record is not the person', () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({
    id: index,
    Manager: `Bob Smith${index}`,
    'Manager Email': `bob${index}@x.example`,
    'Reports to': `Eve Jones${index}`,
    'First Name': `Ann${index}`,
    Surname: `Doe${index}`,
  }));
  const { map, resource } = proposalFor(rows);
  expect(resource.value).toBe('accounts');
  expect(Object.keys(map)).toEqual(['firstName', 'lastName']);
});
