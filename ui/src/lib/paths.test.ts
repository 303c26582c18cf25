import { expect, test } from 'vitest';
import { baseName, datasetName, folderOf, joined, typedPath } from './paths';

test('a path has a last part and a folder, on every system', () => {
  expect(baseName('/home/lin/数据/data.yaml')).toBe('data.yaml');
  expect(baseName('C:\\data\\plates\\')).toBe('plates');
  expect(folderOf('/home/lin/data.yaml')).toBe('/home/lin');
  expect(folderOf('/data')).toBe('/');
  expect(folderOf('C:\\data\\plates')).toBe('C:\\data');
});

test('a dataset is called by its folder', () => {
  expect(datasetName('/home/lin/plates/data.yaml')).toBe('plates');
  expect(datasetName('D:\\安全帽\\data.YAML')).toBe('安全帽');
  expect(datasetName('/data/coco128')).toBe('coco128');
});

test('what is pasted may be quoted or an address', () => {
  expect(typedPath('  "/data/my plates" ')).toBe('/data/my plates');
  expect(typedPath("'/data/x'")).toBe('/data/x');
  expect(typedPath('file:///home/lin/%E6%95%B0%E6%8D%AE/data.yaml')).toBe('/home/lin/数据/data.yaml');
  expect(typedPath('file:///C:/data/x')).toBe('C:/data/x');
  expect(typedPath("/data/it's")).toBe("/data/it's");
});

test('a name is put into a folder', () => {
  expect(joined('/home/lin/', 'plates')).toBe('/home/lin/plates');
  expect(joined('/', 'plates')).toBe('/plates');
  expect(joined('D:\\data', 'plates')).toBe('D:\\data\\plates');
});
