/** Where the keyboard is: never nowhere. */

/** Puts the focus where a page begins: on its heading, which a screen reader then says. */
export function focusPage(main: HTMLElement): void {
  const heading = main.querySelector('h1');
  if (heading) heading.tabIndex = -1;
  (heading ?? main).focus({ preventScroll: true });
}

/**
 * Watches that the focus is not lost with what had it: a button that did its work and went away, or cannot be pressed
 * any more. For an `$effect`: answers how to end it.
 */
export function keepFocus(main: HTMLElement): () => void {
  let held: HTMLElement | undefined;
  let around: HTMLElement | null = null;

  function note({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement)) return;
    held = target;
    around = target.closest<HTMLElement>('[role="dialog"]');
  }

  function mend(): void {
    if (held === undefined || (document.activeElement ?? document.body) !== document.body) return;
    // Where it is still there, a person chose to leave it.
    if (held.isConnected && !held.matches(':disabled')) return;
    if (around?.isConnected) around.focus({ preventScroll: true });
    else focusPage(main);
  }

  const observer = new MutationObserver(mend);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  document.addEventListener('focusin', note);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', note);
  };
}
