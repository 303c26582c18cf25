import { backend } from '@/backend';
import type { AppInfo, Language, Settings, Theme } from '@/backend';
import { language, speak } from '@/lib/text.svelte';
import { toasts } from './toasts.svelte';

const DEFAULTS: Settings = {
  language: null,
  theme: 'system',
  recent_datasets: [],
  stop_grace_s: null,
  keep_awake: null,
  notifications: null,
  least_gpu_hours: null,
  accepted_pythons: [],
  resume_after_restart: false,
  busy_above: null,
  sources: {
    index: null,
    torch_index: null,
    python_mirror: null,
    weights: [],
    proxy: null,
    ca_file: null,
    package_cache: null,
  },
};

/** What a person set; every change is shown at once and stored. */
class SettingsState {
  #now = $state.raw<Settings>(DEFAULTS);
  #app = $state.raw<AppInfo>();

  /** The settings. Never changed in place: hand what changes to `change`. */
  get now(): Settings {
    return this.#now;
  }

  /** What the app is; `undefined` until it said so. */
  get app(): AppInfo | undefined {
    return this.#app;
  }

  async load(): Promise<void> {
    try {
      [this.#app, this.#now] = await Promise.all([backend.appInfo(), backend.settings()]);
      speak(this.#app.language);
    } catch (error) {
      toasts.failed(error);
    }
    this.#show();
  }

  /** Looks again: the engine keeps the recent datasets. */
  async refresh(): Promise<void> {
    try {
      this.#now = await backend.settings();
    } catch (error) {
      toasts.failed(error);
    }
  }

  /** Takes over other settings, at once. Answers whether they could be stored. */
  async change(part: Partial<Settings>): Promise<boolean> {
    this.#now = { ...this.#now, ...part };
    this.#show();
    try {
      this.#now = await backend.changeSettings(this.#now);
      return true;
    } catch (error) {
      toasts.failed(error);
      return false;
    }
  }

  setLanguage(wanted: Language): Promise<boolean> {
    return this.change({ language: wanted });
  }

  setTheme(theme: Theme): Promise<boolean> {
    return this.change({ theme });
  }

  #show(): void {
    if (this.#now.language !== null) speak(this.#now.language);
    document.documentElement.lang = language();
    const { theme } = this.#now;
    const dark = theme === 'dark' || (theme === 'system' && systemDark.matches);
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
  }

  /** The system changed its mind. */
  follow(): void {
    if (this.#now.theme === 'system') this.#show();
  }
}

const systemDark = matchMedia('(prefers-color-scheme: dark)');

export const settings = new SettingsState();

systemDark.addEventListener('change', () => {
  settings.follow();
});
