import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mojibakeIn } from '../../../../src/core/text/mojibake.ts';
import { rounds } from '../../../support/long.ts';
import { eventSync, warnings } from '../../mapping/setup.ts';

/** UTF-8 that is read in another charset. */
function misread(text: string, charset = 'windows-1252', times = 1): string {
  const once = new TextDecoder(charset).decode(new TextEncoder().encode(text));
  return times === 1 ? once : misread(once, charset, times - 1);
}

describe('Text in a wrong charset', () => {
  test.each([
    'Café',
    'été',
    'München',
    'GRÜN',
    'CAFÉ',
    'Österreich',
    'Über uns',
    'voilà',
    'voilà la fête',
    'Today’s menu',
    '“Quoted” text',
    'one – two — three…',
    'Price 5 €',
    'Brand™ name',
    '10 °C outside',
    '£5 each',
    'São Paulo',
    'Łódź',
    'zażółć gęślą jaźń',
    'Dvořák',
    'Čajovna',
    'İstanbul',
    'Привет мир',
    'Αθήνα',
    'שלום',
    'مرحبا',
    '東京タワー',
    'สวัสดี',
    'Party 🎉',
    'Fjällräven, Åre',
    'Ærø',
    'ñandú',
    'a\u00a0b and c\u00a0d',
  ])('is found: %s', (text) => {
    const message = mojibakeIn(misread(text));
    expect(message).toMatch(/^has wrong letters: /);
    expect(message).toContain(JSON.stringify(text));
  });

  test.each([
    ['twice', misread('Café', 'windows-1252', 2), 'Café'],
    ['three times', misread('Ça', 'windows-1252', 3), 'Ça'],
    ['Latin-1', Buffer.from('Été – GRÜN').toString('latin1'), 'Été – GRÜN'],
  ])('is found: %s', (_, text, meant) => expect(mojibakeIn(text)).toContain(`probably for ${JSON.stringify(meant)}`));

  test('is found by the character that stands for a lost one', () => {
    expect(mojibakeIn('Caf\uFFFD Zurich')).toBe(
      'has wrong letters: "Caf\uFFFD Zurich" has U+FFFD instead of a letter. Correct it in the source',
    );
  });

  test.each([
    'São Paulo',
    'Škoda a Žižka, MUŽ, ŠKODA, Ÿ',
    'Ã',
    'A Ã B',
    'NÃO',
    '“NÃO”',
    '«IRMû',
    'IRMÃ\u00a0!',
    'MAÇÃ…',
    'MANHÃ – NOITE',
    'À CÔTÉ',
    'CAFÉ…',
    '“CAFÉ”',
    '«\u00a0À côté\u00a0»',
    'à\u00a0«\u00a0Paris\u00a0»',
    'passé\u00a0»',
    '«\u00a0é…»',
    'naïve',
    'l’été à l’Île',
    'LIBERTÉ\u00a0!',
    'ĐÀ NẴNG, Ấn Độ, TÂN BÌNH, Â',
    'SMÅ – STORE',
    'Ålesund–Ærø',
    'PÅ…',
    'Ä–Ö–Ü',
    'Größe: 10°–20° © 2026 ®',
    'KRAKÓW”',
    '„ŻÓŁĆ”',
    'Łódź',
    'Привет «мир»',
    '東京',
    'N°5, 1ª, 2º, m²',
    '√2 and √π',
    '‚Äpfel‘',
    'Party 🎉 ✓ →',
    'ПРИВЕТ – ЁЛКА',
    'ÇEŞME ŞİŞLİ İZMİR Ğ',
    '½ × ¾',
    'plain',
  ])('is not seen in %s', (text) => expect(mojibakeIn(text)).toBeUndefined());

  test('is not seen in words of any Latin letters', () => {
    const word = fc.string({
      unit: fc.constantFrom(...'aeiouzÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿß'),
    });
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(mojibakeIn(words.join(' '))).toBeUndefined();
      }),
    );
  });

  test('is found just as if the text were read thoroughly', () => {
    const upper = (charset: string) =>
      new TextDecoder(charset).decode(Uint8Array.from({ length: 128 }, (_, i) => 128 + i));
    const control = Array.from({ length: 32 }, (_, i) => String.fromCharCode(128 + i));
    const letters = [
      ...upper('windows-1252'),
      ...upper('macintosh'),
      ...control,
      'a',
      'A',
      ' ',
      '&nbsp;',
      'Ð',
      'я',
      '\ufeff',
    ];
    const text = fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.string({ unit: 'grapheme' }).map((any) => misread(any)),
        ),
        (any) => {
          // A lost letter makes any text worth a thorough look.
          const thorough = mojibakeIn(`${any} \uFFFD`);
          expect(mojibakeIn(any) === undefined).toBe(thorough?.includes('has U+FFFD') === true);
        },
      ),
      { numRuns: rounds(500, 20_000) },
    );
  });

  test('is a warning of the record, and stays', () => {
    const fields = { id: '1', title: misread('Café'), start: '2026-03-01' };
    expect(warnings(eventSync(), fields)).toEqual([
      { at: 'line 2', message: expect.stringMatching(/^title: has wrong letters: "CafÃ©", probably for "Café"/) },
    ]);
  });
});
