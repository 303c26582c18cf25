import { backend, type ReportForm } from '@/backend';
import { dataset } from './dataset.svelte';
import { Job } from './job.svelte';
import { toasts } from './toasts.svelte';

/** The second look at the chosen dataset, which goes on while a person looks elsewhere. */
class CloseLook {
  readonly job = new Job();

  async begin(path: string, imgsz: number): Promise<void> {
    const health = await this.job.run((onprogress, signal) =>
      backend.examineDataset(path, imgsz, onprogress, signal),
    );
    if (health) dataset.examined(path, health);
  }

  /** Asks where to and writes a report; answers the file. */
  async save(path: string, form: ReportForm): Promise<string | null> {
    try {
      return await backend.saveReport(path, form);
    } catch (error) {
      toasts.failed(error);
      return null;
    }
  }
}

export const closeLook = new CloseLook();
