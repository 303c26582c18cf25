import { backend } from '@/backend';
import type { Language, Settings, Theme } from '@/backend';
import { speak } from '@/lib/text.svelte';
import { toasts } from './toasts.svelte';

const RECENT = 8;

const DEFAULTS: Settings = {
  language: null,
  theme: 'system',
  recent_datasets: [],
  sources: { index: null, torch_index: null, python_mirror: null, proxy: null, ca_file: null },
};

/** What a person set; every change is shown at once and stored. */
class SettingsState {
  #now = $state.raw<Settings>(DEFAULTS);
  #system: Language = 'en';

  /** The settings. Never changed in place: hand a changed copy to `change`. */
  get now(): Settings {
    return this.#now;
  }

  async load(): Promise<void> {
    try {
      [this.#system, this.#now] = await Promise.all([backend.systemLanguage(), backend.settings()]);
    } catch (error) {
      toasts.failed(error);
    }
    this.#show();
  }

  /** Takes over other settings. Answers whether they could be stored. */
  async change(part: Partial<Settings>): Promise<boolean> {
    this.#now = { ...this.#now, ...part };
    this.#show();
    try {
      await backend.saveSettings(this.#now);
      return true;
    } catch (error) {
      toasts.failed(error);
      return false;
    }
  }

  setLanguage(language: Language): Promise<boolean> {
    return this.change({ language });
  }

  setTheme(theme: Theme): Promise<boolean> {
    return this.change({ theme });
  }

  /** Puts a dataset first among the recent ones. */
  remember(path: string): Promise<boolean> {
    const others = this.#now.recent_datasets.filter((other) => other !== path);
    return this.change({ recent_datasets: [path, ...others].slice(0, RECENT) });
  }

  #show(): void {
    const language = this.#now.language ?? this.#system;
    speak(language);
    document.documentElement.lang = language;
    const { theme } = this.#now;
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }
}

export const settings = new SettingsState();
