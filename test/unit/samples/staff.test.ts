import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Person {
  id: string;
  login: string;
  name: { first: string; last: string; preferred?: string };
  contact: { email?: unknown; phones: Record<string, string> };
  org: { department: string; title: string };
  links: Record<string, string>;
}

const text = await readFile(join(import.meta.dirname, '../../../examples/syncs/feeds/staff.json'), 'utf8');
const { people } = JSON.parse(text) as { people: Array<Person | string> };
const persons = people.filter((person) => typeof person !== 'string');
const emails = persons.map(({ contact }) => contact.email);
const usableEmails = emails.filter((email) => typeof email === 'string');

describe('The sample staff.json', () => {
  test('has 68 items, one of which is not a person', () => {
    expect(people).toHaveLength(68);
    expect(persons).toHaveLength(67);
  });

  test.each(['id', 'login'] as const)('gives every person a %s of their own', (field) => {
    expect(new Set(persons.map((person) => person[field])).size).toBe(67);
  });

  test('has one person without an email and one with a list of them', () => {
    expect(emails.filter((email) => email === undefined)).toHaveLength(1);
    expect(emails.filter(Array.isArray)).toHaveLength(1);
    expect(usableEmails).toHaveLength(65);
  });

  test('has one pair of emails that differ in case only', () => {
    expect(new Set(usableEmails).size).toBe(65);
    const normalized = usableEmails.map((email) => email.trim().toLowerCase());
    const collisions = normalized.filter((email, index) => normalized.indexOf(email) !== index);
    expect(collisions).toEqual(['julia.callahan@alder.example.edu']);
  });

  test('omits some attributes of some persons, as directories do', () => {
    for (const isGiven of [
      ({ contact }: Person) => 'office' in contact.phones,
      ({ links }: Person) => 'profile' in links,
      ({ name }: Person) => name.preferred !== undefined,
    ]) {
      const given = persons.filter(isGiven).length;
      expect(given).toBeGreaterThan(0);
      expect(given).toBeLessThan(persons.length);
    }
  });

  test('has no passwords and no addresses of real hosts', () => {
    expect(text).not.toMatch(/password/i);
    const hosts = [...text.matchAll(/(?:@|https:\/\/)([\w.-]+)/g)].map((match) => match[1]);
    expect(hosts.length).toBeGreaterThan(100);
    expect(hosts.filter((host) => !/\.example\.(edu|org)$/i.test(host ?? ''))).toEqual([]);
  });
});
