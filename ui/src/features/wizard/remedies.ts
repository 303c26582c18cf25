/** What the buttons of a finding do while a plan is made. */
import { backend } from '@/backend';
import type { Remedy } from '@/backend';
import { dataset } from '@/state/dataset.svelte';
import { dialogs } from '@/state/dialogs.svelte';
import { changed } from '@/state/plan';
import { router } from '@/state/router.svelte';
import { toasts } from '@/state/toasts.svelte';
import { weights } from '@/state/weights.svelte';
import { wizard } from '@/state/wizard.svelte';

export function openFile(path: string): void {
  backend.openFile(path).catch((error: unknown) => {
    toasts.failed(error);
  });
}

export function applyRemedy({ action, args }: Remedy): void {
  switch (action.kind) {
    case 'change_plan': {
      const { change } = action;
      wizard.change((plan) => changed(plan, change));
      break;
    }
    case 'accept_python':
      backend.acceptPython(action.path).then(
        () => wizard.look(),
        (error: unknown) => {
          toasts.failed(error);
        },
      );
      break;
    case 'create_environment':
    case 'repair_environment':
      dialogs.environment = true;
      break;
    case 'fetch_weights':
      // There it is seen how far it is.
      router.go({ page: 'new', step: 'model' });
      void weights.fetch(action.model, action.again);
      break;
    case 'choose_dataset':
      router.go({ page: 'new', step: 'dataset' });
      break;
    case 'choose_model':
    case 'choose_weights':
      router.go({ page: 'new', step: 'model' });
      break;
    case 'open_file':
      openFile(action.path);
      break;
    case 'recheck':
      if (dataset.path) void dataset.read(dataset.path);
      void wizard.look(true);
      break;
    case 'mend_dataset':
      router.go({ page: 'new', step: 'dataset' });
      break;
    case 'free_disk':
      dialogs.room = true;
      break;
    case 'sign_in':
      dialogs.signIn = action.profile;
      break;
    case 'end_process':
      dialogs.ending = { pid: action.pid, name: String(args['name'] ?? '') };
      break;
    case 'open_run':
      router.go({ page: 'run', id: action.run });
      break;
    case 'cancel_run':
      dialogs.cancelling = action.run;
      break;
    case 'copy_dataset':
    case 'start_again':
    case 'write_to':
    case 'resume_run':
    case 'explain':
      break;
  }
}
