// An OLED, pixel for pixel: 1024 bytes as the chip keeps them, on a canvas of 128 x 64.

const WIDTH = 128;
const HEIGHT = 64;

/** Draw a frame (base64): byte p*128+x holds eight pixels of column x, the lowest bit on top. */
export function paint(canvas, frame) {
  const bytes = Uint8Array.from(atob(frame), (letter) => letter.charCodeAt(0));
  const pen = canvas.getContext("2d");
  const picture = pen.createImageData(WIDTH, HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const lit = (bytes[(y >> 3) * WIDTH + x] >> (y & 7)) & 1;
      const at = 4 * (y * WIDTH + x);
      picture.data[at] = lit ? 196 : 4;
      picture.data[at + 1] = lit ? 236 : 8;
      picture.data[at + 2] = lit ? 255 : 14;
      picture.data[at + 3] = 255;
    }
  }
  pen.putImageData(picture, 0, 0);
}

export function glass(label) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  canvas.className = "glass";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  return canvas;
}

/** A glass in its frame: each of its pixels becomes the same whole number of the screen's. */
export function bezel(canvas) {
  const frame = document.createElement("div");
  frame.className = "bezel";
  frame.append(canvas);
  new ResizeObserver(() => {
    const room = frame.clientWidth - 2 * parseFloat(getComputedStyle(frame).paddingLeft);
    const whole = (Math.floor((room * devicePixelRatio) / WIDTH) * WIDTH) / devicePixelRatio;
    canvas.style.width = whole > 0.8 * room ? `${whole}px` : "";
  }).observe(frame);
  return frame;
}
