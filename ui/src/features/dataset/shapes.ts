/** Where boxes, outlines and key points are, in pixels of their image. */
import type { LabelBox, Mark } from '@/backend';

type Picture = { width: number; height: number };
type Place = Pick<LabelBox, 'x' | 'y' | 'w' | 'h'>;

/** A box's edges. */
export function framed(box: Place, picture: Picture): { left: number; top: number; w: number; h: number } {
  const [w, h] = [(box.w ?? 0) * picture.width, (box.h ?? 0) * picture.height];
  return {
    left: (box.x ?? 0) * picture.width - w / 2,
    top: (box.y ?? 0) * picture.height - h / 2,
    w,
    h,
  };
}

/** The corners of an outline, as SVG reads them. */
export function outlined(mark: Mark, picture: Picture): string {
  return mark.outline
    .map(([x, y]) => `${String((x ?? 0) * picture.width)},${String((y ?? 0) * picture.height)}`)
    .join(' ');
}

/** Key points that are marked. */
export function pointed(mark: Mark, picture: Picture): { x: number; y: number; hidden: boolean }[] {
  return mark.points
    .filter(([, , seen]) => (seen ?? 0) > 0)
    .map(([x, y, seen]) => ({
      x: (x ?? 0) * picture.width,
      y: (y ?? 0) * picture.height,
      hidden: seen === 1,
    }));
}
