import type { Changes } from '@/backend';

/** A run goes on as it was. */
export const NO_CHANGES: Changes = {
  batch: null,
  imgsz: null,
  workers: null,
  device: null,
  dataset: null,
  extra: {},
};
