import { describe, expect, test } from 'vitest';
import type { Plan } from '@/backend';
import { cardsOf, changed, ultralyticsCommand, withModel } from './plan';

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
    expect(changed(plan, { set: 'device', to: 'cpu' }).target.device).toBe('cpu');
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
});

describe('the command', () => {
  test('says what the plan says', () => {
    expect(ultralyticsCommand(plan)).toBe(
      'yolo detect train data=/data/plates/data.yaml model=yolov8n.pt imgsz=640 batch=16 epochs=100 seed=0',
    );
  });

  test('quotes what a shell would read otherwise', () => {
    const odd: Plan = {
      ...plan,
      dataset: "/data/it's $(rm)/图 片.yaml",
      model: { name: 'yolov8n', weights: 'scratch', file: '' },
      training: { ...plan.training, workers: 2, extra: { cos_lr: true, optimizer: 'AdamW' } },
      target: { ...plan.target, device: 'gpu:0,1' },
    };
    expect(ultralyticsCommand(odd)).toBe(
      `yolo detect train 'data=/data/it'\\''s $(rm)/图 片.yaml' model=yolov8n.yaml imgsz=640 batch=16 epochs=100 seed=0 workers=2 device=0,1 cos_lr=True optimizer=AdamW`,
    );
  });
});
