/** Which step of the wizard decides on what a check says. */
import type { Finding } from '@/backend';
import type { Step } from '@/lib/route';

export function stepOf({ stage, code }: Pick<Finding, 'stage' | 'code'>): Step {
  switch (stage) {
    case 'auth':
    case 'quota':
      return 'account';
    case 'gpu_pool':
    case 'driver':
      return 'where';
    case 'image':
      // The first weights are part of what trains, and chosen with the model.
      return code.startsWith('image.weights') || code.startsWith('image.model') ? 'model' : 'where';
    case 'data':
      return 'dataset';
    case 'memory':
      return 'batch';
    case 'start':
    case 'train':
    case 'results':
      return 'review';
  }
}
