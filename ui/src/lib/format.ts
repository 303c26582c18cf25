/** Numbers as a person reads them: the same words as `crates/core/src/text.rs` makes. */

/** A fixed number of digits, ties to even as Rust rounds them. */
export function fixed(n: number, digits: number): string {
  const scaled = Math.abs(n) * 10 ** digits;
  const floor = Math.floor(scaled);
  if (scaled - floor === 0.5 && scaled < 2 ** 40) {
    const even = (floor % 2 === 0 ? floor : floor + 1) / 10 ** digits;
    return (n < 0 ? -even : even).toFixed(digits);
  }
  return n.toFixed(digits);
}

/** A size in binary units: `7.9 GiB`, `512 MiB`, `31 KiB`. */
export function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = n;
  let unit = 0;
  // What would print as 1024 belongs to the next unit; GiB and TiB are printed with a decimal.
  while (Math.abs(value) >= (unit < 3 ? 1023.5 : 1023.95) && unit + 1 < units.length) {
    value /= 1024;
    unit += 1;
  }
  // One decimal where it tells something: below 10 of any unit, and always for GiB and TiB.
  const digits = unit === 0 || (unit < 3 && Math.abs(value) >= 9.95) ? 0 : 1;
  return `${fixed(value, digits)} ${units[unit] ?? ''}`;
}

/** A duration in seconds, in at most two units: `3 h 20 min`, `45 s`. */
export function duration(seconds: number): string {
  const total = Math.min(Math.round(Math.max(seconds, 0)), 1e15);
  const d = Math.floor(total / 86_400);
  const h = Math.floor(total / 3_600) % 24;
  const m = Math.floor(total / 60) % 60;
  const s = total % 60;
  const unit = (n: number, name: string) => `${String(n)} ${name}`;
  if (d > 0) return h > 0 && d < 10 ? `${unit(d, 'd')} ${unit(h, 'h')}` : unit(d, 'd');
  if (h > 0) return m > 0 ? `${unit(h, 'h')} ${unit(m, 'min')}` : unit(h, 'h');
  if (m === 0) return unit(s, 's');
  return m < 10 && s > 0 ? `${unit(m, 'min')} ${unit(s, 's')}` : unit(m, 'min');
}

/** A share of 1 in percent. */
export function percent(share: number): string {
  return `${fixed(share * 100, 0)} %`;
}

/** A number with its thousands grouped by commas. */
export function grouped(n: number): string {
  const [whole = '', fraction] = String(Math.abs(n)).split('.');
  const sign = n < 0 ? '-' : '';
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? sign + groups : `${sign}${groups}.${fraction}`;
}
