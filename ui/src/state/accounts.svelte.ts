import {
  backend,
  Failure,
  type Account,
  type AccountView,
  type Problem,
  type PlatformProfile,
  type SignInStep,
  type SignInWay,
} from '@/backend';
import { t } from '@/lib/text.svelte';
import { toasts } from './toasts.svelte';

/** What is known of one account beside its connection. */
type Seen = { asking: boolean; view?: AccountView; problem?: Problem };

/** Connections to platforms, and the one sign-in that may be under way. */
class Accounts {
  #all = $state.raw<Account[] | null>(null);
  #seen = $state.raw<Record<string, Seen>>({});
  #signingIn = $state.raw<string | null>(null);
  #step = $state.raw<SignInStep | null>(null);
  #problem = $state.raw<{ name: string; problem: Problem } | null>(null);
  #keychain = $state.raw<Problem | null>(null);
  /** Counts every change of a sign-in, so that others look again. */
  #changes = $state(0);

  /** By name; `null`: not looked yet. */
  get all(): Account[] | null {
    return this.#all;
  }

  /** Whose sign-in is under way. */
  get signingIn(): string | null {
    return this.#signingIn;
  }

  /** What a person has to do for it. */
  get step(): SignInStep | null {
    return this.#step;
  }

  /** Why the system's keychain cannot be used; `null`: it can, or was not tried. */
  get keychain(): Problem | null {
    return this.#keychain;
  }

  get changes(): number {
    return this.#changes;
  }

  named(name: string): Account | undefined {
    return this.#all?.find((account) => account.name === name);
  }

  seen(name: string): Seen {
    return this.#seen[name] ?? { asking: false };
  }

  /** Why the last sign-in to this account ended without one. */
  problem(name: string): Problem | null {
    return this.#problem?.name === name ? this.#problem.problem : null;
  }

  async look(): Promise<void> {
    try {
      this.#all = await backend.accounts();
    } catch (error) {
      toasts.failed(error);
    }
  }

  /** Tries whether the keychain keeps anything. */
  async tryKeychain(): Promise<void> {
    try {
      this.#keychain = await backend.keychainProblem();
    } catch (error) {
      this.#keychain = Failure.problem(error);
    }
  }

  /** Asks the platform. */
  async ask(name: string): Promise<void> {
    if (this.seen(name).asking) return;
    this.#set(name, { ...this.seen(name), asking: true });
    try {
      const view = await backend.accountView(name);
      this.#set(name, { asking: false, view });
    } catch (error) {
      this.#set(name, { asking: false, problem: Failure.problem(error) });
    }
    this.#changes += 1;
    // When it was used last, and until when the token is good, is kept by the engine.
    await this.look();
  }

  /** Saves a connection; whether it was saved. */
  async save(name: string, profile: PlatformProfile): Promise<Problem | null> {
    try {
      await backend.saveAccount(name, profile);
      await this.look();
      return null;
    } catch (error) {
      return Failure.problem(error);
    }
  }

  async signIn(name: string, way: SignInWay): Promise<void> {
    this.#signingIn = name;
    this.#step = null;
    this.#problem = null;
    try {
      await backend.signIn(name, way, (step) => {
        if (this.#signingIn === name) this.#step = step;
      });
    } catch (error) {
      const problem = Failure.problem(error);
      // A person's own cancelling is no failure.
      if (problem.code !== 'account.cancelled') this.#problem = { name, problem };
    }
    if (this.#signingIn === name) {
      this.#signingIn = null;
      this.#step = null;
    }
    this.#changes += 1;
    await this.look();
    if (this.named(name)?.signed_in) await this.ask(name);
  }

  /** Opens the file that a token is sealed in, as long as the app runs, and asks the platform. */
  async unlock(name: string, passphrase: string): Promise<void> {
    try {
      await backend.setPassphrase(passphrase);
    } catch (error) {
      toasts.failed(error);
    }
    await this.ask(name);
  }

  /** Asks every platform again that was asked: what is enough for a person has changed. */
  async askAgain(): Promise<void> {
    const asked = Object.entries(this.#seen).filter(([, { view }]) => view !== undefined);
    await Promise.all(asked.map(([name]) => this.ask(name)));
  }

  cancel(): void {
    backend.cancelSignIn().catch((error: unknown) => {
      toasts.failed(error);
    });
  }

  async signOut(name: string): Promise<void> {
    try {
      const heard = await backend.signOut(name);
      const platform = this.named(name)?.platform ?? name;
      toasts.done(t(heard ? 'account-signed-out' : 'account-signed-out-unheard', { platform }));
    } catch (error) {
      toasts.failed(error);
    }
    this.#set(name, { asking: false });
    this.#changes += 1;
    await this.look();
  }

  async remove(name: string): Promise<void> {
    try {
      await backend.removeAccount(name);
    } catch (error) {
      toasts.failed(error);
    }
    this.#changes += 1;
    await this.look();
  }

  #set(name: string, seen: Seen): void {
    this.#seen = { ...this.#seen, [name]: seen };
  }
}

export const accounts = new Accounts();
