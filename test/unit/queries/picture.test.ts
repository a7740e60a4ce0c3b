import { describe, expect, test } from 'vitest';
import { pictureAt, withPictures } from '../../../src/queries/answers/picture.ts';

const CMS = 'https://cms.example.edu/site/api';

describe('The address of a picture', () => {
  test.each([
    [{ src: '/uploads/a.png' }, 'https://cms.example.edu/uploads/a.png'],
    ['https://feed.example.edu/a.JPG?w=4', 'https://feed.example.edu/a.JPG?w=4'],
    ['https://feed.example.edu/img/4711', 'https://feed.example.edu/img/4711'],
    ['http://feed.example.edu/a.jpg', undefined],
    [{ src: '/uploads/plan.pdf' }, undefined],
    ['javascript:alert(1)//a.png', undefined],
    [{ src: 'javascript:alert(1)//a.png' }, undefined],
    ['a.png', undefined],
    [null, undefined],
  ])('%j → %s', (value, address) => {
    expect(pictureAt(value, 'image', CMS)).toBe(address);
  });

  test('A CMS without TLS shows its own pictures', () => {
    expect(pictureAt({ src: '/a.png' }, 'image', 'http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080/a.png');
  });

  test('Without an ending, the name of the attribute decides', () => {
    expect(pictureAt('https://feed.example.edu/4711', 'website', CMS)).toBeUndefined();
  });

  test('Planned files have the addresses of both sides', () => {
    const files = { from: { src: '/old.png' }, to: 'https://feed.example.edu/new.png' };
    const [first] = withPictures([{ attribute: 'image', from: 'old.png', to: 'new.png', files }], CMS);
    expect(first).toEqual({
      attribute: 'image',
      from: 'old.png',
      to: 'new.png',
      pictures: { from: 'https://cms.example.edu/old.png', to: 'https://feed.example.edu/new.png' },
    });
  });
});
