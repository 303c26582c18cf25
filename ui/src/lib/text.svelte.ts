/** Sentences a person reads, by id. The words live in `../locales`, never in code. */
import { FluentBundle, FluentNumber, FluentResource, type FluentValue, type Scope } from '@fluent/bundle';
import { bytes, duration, fixed, grouped, percent } from './format';

export type Language = 'en' | 'zh-CN';
export const LANGUAGES: readonly Language[] = ['en', 'zh-CN'];

export type Args = Record<string, string | number | null>;
/** A sentence: an id, optionally with an attribute (`finding-data-no-val.detail`), and its arguments. */
export type Message = { id: string; args: Args };
/** What could not be done, as the engine says it. */
export type ProblemText = { code: string; args: Args; causes: string[] };

const files = import.meta.glob<string>('../../../locales/*/*.ftl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** A number that, written plainly, has its thousands grouped; `Intl` would cut its digits. */
class PlainNumber extends FluentNumber {
  override toString(_scope?: Scope): string {
    return grouped(this.value);
  }
}

function numeric(format: (n: number, named: Record<string, FluentValue>) => string) {
  return (values: FluentValue[], named: Record<string, FluentValue>): FluentValue => {
    const value = values[0];
    return value instanceof FluentNumber ? format(value.value, named) : '';
  };
}

const functions = {
  BYTES: numeric(bytes),
  DURATION: numeric(duration),
  PERCENT: numeric(percent),
  DECIMAL: numeric((n, { digits }) => fixed(n, digits instanceof FluentNumber ? digits.value : 1)),
};

/** The sentences of one language, with English behind them. */
export class Texts {
  readonly language: Language;
  private readonly bundle: FluentBundle;

  constructor(language: Language) {
    this.language = language;
    // Isolation marks are invisible characters that would end up in paths people copy.
    this.bundle = new FluentBundle(language, { functions, useIsolating: false });
    for (const folder of language === 'en' ? ['en'] : ['en', language]) {
      for (const [path, source] of Object.entries(files)) {
        if (path.includes(`/${folder}/`)) {
          this.bundle.addResource(new FluentResource(source), { allowOverrides: true });
        }
      }
    }
  }

  /** The sentence with this id, or `undefined` when there is none. */
  find(id: string, args: Args = {}): string | undefined {
    const [name = '', attribute] = id.split('.', 2);
    const message = this.bundle.getMessage(name);
    const pattern = attribute === undefined ? message?.value : message?.attributes[attribute];
    if (pattern === null || pattern === undefined) return undefined;
    const values: Record<string, FluentValue> = {};
    for (const [key, value] of Object.entries(args)) {
      values[key] = typeof value === 'number' ? new PlainNumber(value) : (value ?? '');
    }
    const errors: Error[] = [];
    return this.bundle.formatPattern(pattern, values, errors);
  }
}

const loaded: Partial<Record<Language, Texts>> = {};

function texts(wanted: Language): Texts {
  return (loaded[wanted] ??= new Texts(wanted));
}

let current = $state.raw(texts('en'));

/** The language shown now. */
export function language(): Language {
  return current.language;
}

/** Shows every sentence in another language, at once. */
export function speak(wanted: Language): void {
  current = texts(wanted);
}

/** The sentence with this id; the id itself when there is none. */
export function t(id: string, args?: Args): string {
  return current.find(id, args) ?? id;
}

/** The sentence with this id, where there need not be one. */
export function find(id: string, args?: Args): string | undefined {
  return current.find(id, args);
}

/** A message of the engine, in words. */
export function say(message: Message): string {
  return t(message.id, message.args);
}

const dashes = (code: string) => code.replaceAll(/[._]/g, '-');

/** What a person reads about a problem. */
export function problemTitle({ code, args }: ProblemText): string {
  return t(`problem-${dashes(code)}`, args);
}

/** What helps. */
export function problemHelp({ code, args }: ProblemText): string | undefined {
  return find(`problem-${dashes(code)}.help`, args);
}

/** What a person reads first about a finding. */
export function findingTitle({ code, args }: { code: string; args: Args }): string {
  return t(`finding-${dashes(code)}`, args);
}

/** The explanation of a finding. */
export function findingDetail({ code, args }: { code: string; args: Args }): string | undefined {
  return find(`finding-${dashes(code)}.detail`, args);
}

/** Where the rule behind a finding comes from. */
export function findingSource({ code, args }: { code: string; args: Args }): string | undefined {
  return find(`finding-${dashes(code)}.source`, args);
}

/** A moment, in the person's own time zone. */
export function moment(ms: number): string {
  return new Intl.DateTimeFormat(current.language, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}

/** The time of day, with seconds. */
export function clock(ms: number): string {
  return new Intl.DateTimeFormat(current.language, { timeStyle: 'medium' }).format(ms);
}
