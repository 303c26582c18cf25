import { expect, test } from 'vitest';
import { plain } from './plain';

test('colours and links are not shown', () => {
  expect(plain('\x1b[34m\x1b[1mtrain: \x1b[0mok\tthen\x07')).toBe('train: ok\tthen');
  expect(plain('\x1b]0;title\x07a\x1b]8;;url\x1b\\b\x1b')).toBe('ab');
  expect(plain('\x1b(Ba\x1b[12;')).toBe('a');
});

test('lines stay lines, and words stay as they are', () => {
  expect(plain('one\r\ntwo\rthree\n')).toBe('one\ntwo\nthree\n');
  expect(plain('\x1b]cut off\nnext')).toBe('\nnext');
  expect(plain('数据 [0/1] ━━ é')).toBe('数据 [0/1] ━━ é');
});
