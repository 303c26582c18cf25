import { describe, expect, test } from 'vitest';
import type { Plan } from '@/backend';
import { cardsOf, changed, withModel, here, platformOf, withPlatform, withTarget } from './plan';

const plan: Plan = {
  format: 1,
  dataset: '/data/plates/data.yaml',
  model: { name: 'yolov8n', weights: 'pretrained', file: '' },
  training: { imgsz: 640, batch: 16, epochs: 100, workers: null, seed: 0, extra: {} },
  target: { kind: 'this-computer', device: 'auto', python: null },
};

describe('a plan', () => {
  test('takes the change of a remedy and nothing else', () => {
    expect(changed(plan, { set: 'batch', to: 4 })).toEqual({
      ...plan,
      training: { ...plan.training, batch: 4 },
    });
    expect(changed(plan, { set: 'imgsz', to: 320 }).training.imgsz).toBe(320);
    expect(changed(plan, { set: 'epochs', to: 3 }).training.epochs).toBe(3);
    expect(here(changed(plan, { set: 'device', to: 'cpu' })).device).toBe('cpu');
    expect(changed(plan, { set: 'from_scratch' }).model).toEqual({
      name: 'yolov8n',
      weights: 'scratch',
      file: '',
    });
    expect(plan.training.batch).toBe(16);
  });

  test('forgets an own file once its weights come from elsewhere', () => {
    const own = withModel(plan, { weights: 'file', file: '/m/mine.pt' });
    expect(own.model.file).toBe('/m/mine.pt');
    expect(withModel(own, { weights: 'scratch' }).model.file).toBe('');
  });

  test('names cards by index', () => {
    expect(cardsOf('gpu:0,2')).toEqual([0, 2]);
    expect(cardsOf('cpu')).toEqual([]);
    expect(cardsOf('auto')).toEqual([]);
  });

  test('goes to a platform and comes back', () => {
    const away = withPlatform(plan, { profile: 'works' });
    expect(platformOf(away)).toEqual({ kind: 'platform', profile: 'works', card: null, cards: 1 });
    expect(platformOf(changed(away, { set: 'card', to: 'T4' }))?.card).toBe('T4');
    expect(platformOf(withTarget(away, { device: 'cpu' }))).toBeUndefined();
    expect(here(away).device).toBe('auto');
  });
});
