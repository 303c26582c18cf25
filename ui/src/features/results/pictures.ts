/** The trainer's pictures in a person's words. */
import type { PictureKind, PictureView } from '@/backend';
import { t } from '@/lib/text.svelte';

export type NamedPicture = PictureView & { title: string; about: string };

/** A picture with its title and the sentence that explains it. */
export function named(picture: PictureView): NamedPicture {
  const id = picture.kind.replaceAll('_', '-');
  const title = t(`picture-${id}`);
  return {
    ...picture,
    title:
      picture.kind === 'other'
        ? picture.name
        : picture.number === null
          ? title
          : `${title} · ${String(picture.number + 1)}`,
    about: t(`picture-${id}.about`),
  };
}

/** Pictures of some kinds, in the order of the kinds. */
export function ofKinds(pictures: readonly PictureView[], kinds: readonly PictureKind[]): NamedPicture[] {
  return kinds.flatMap((kind) => pictures.filter((picture) => picture.kind === kind).map(named));
}
