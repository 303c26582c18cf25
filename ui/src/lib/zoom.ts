/** A picture in a frame: how large, and where. Lengths are pixels of the window, sizes of the picture its own pixels. */

export type Size = { width: number; height: number };
/** `scale`: pixels of the window for one of the picture; `x`, `y`: where its upper left corner is in the frame. */
export type Zoom = { scale: number; x: number; y: number };

/** Steps of the + and − keys. */
export const STEP = 1.25;
const LARGEST = 16;

/** The whole picture, as large as the frame allows, but not larger than it is unless it is tiny. */
export function fitted(frame: Size, picture: Size): Zoom {
  const fit = Math.min(frame.width / picture.width, frame.height / picture.height);
  const scale = Number.isFinite(fit) && fit > 0 ? Math.min(fit, 8) : 1;
  return placed({ scale, x: 0, y: 0 }, frame, picture);
}

/** Larger or smaller by a factor, so that the point under `x`, `y` stays where it is. */
export function zoomed(zoom: Zoom, by: number, x: number, y: number, frame: Size, picture: Size): Zoom {
  const least = Math.min(1, fitted(frame, picture).scale) / 2;
  const scale = Math.min(LARGEST, Math.max(least, zoom.scale * by));
  const grown = scale / zoom.scale;
  return placed({ scale, x: x - (x - zoom.x) * grown, y: y - (y - zoom.y) * grown }, frame, picture);
}

/** Moved, but never out of the frame: a picture smaller than the frame is in its middle, a larger one fills it. */
export function placed(zoom: Zoom, frame: Size, picture: Size): Zoom {
  const axis = (at: number, room: number, length: number) =>
    length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, at));
  return {
    scale: zoom.scale,
    x: axis(zoom.x, frame.width, picture.width * zoom.scale),
    y: axis(zoom.y, frame.height, picture.height * zoom.scale),
  };
}

/** The side of the image file to load so that it is sharp: few sizes, so that zooming does not load each time. */
export function sideFor(zoom: Zoom, picture: Size, density: number): number {
  const needed = Math.max(picture.width, picture.height) * zoom.scale * density;
  return needed <= 1024 ? 1024 : needed <= 2048 ? 2048 : 4096;
}
