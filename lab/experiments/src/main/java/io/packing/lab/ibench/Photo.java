// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;

/** A photo that is the same for the same number: soft areas with grain, so that a JPEG of it is as large as a camera's. */
final class Photo {
    private static final int WIDTH = 1_280;
    private static final int HEIGHT = 960;
    private static final int AREA = 64;
    private static final int GRAIN = 24;
    private static final int LEVELS = 200;

    private Photo() {}

    static byte[] jpeg(long number) throws IOException {
        SplittableRandom random = new SplittableRandom(number);
        int[] areas = random.ints((long) (WIDTH / AREA + 1) * (HEIGHT / AREA + 1), 0, LEVELS)
                .toArray();
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                int level = areas[y / AREA * (WIDTH / AREA + 1) + x / AREA];
                int red = level + random.nextInt(GRAIN);
                int green = (level * 2 + x / AREA) % LEVELS + random.nextInt(GRAIN);
                int blue = (level + y / AREA * 3) % LEVELS + random.nextInt(GRAIN);
                image.setRGB(x, y, red << 16 | green << 8 | blue);
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (!ImageIO.write(image, "jpg", bytes)) {
            throw new IOException("this Java writes no JPEG");
        }
        return bytes.toByteArray();
    }
}
