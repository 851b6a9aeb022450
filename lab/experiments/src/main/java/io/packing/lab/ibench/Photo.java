// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/** A photo that is the same for the same number: soft areas with grain, so that a JPEG of it is as large as a camera's. */
final class Photo {
    // Start of a comment in a JPEG, and the start of the file, behind which comments may stand.
    private static final byte[] COMMENT = {(byte) 0xff, (byte) 0xfe, 0, 10};
    private static final int START = 2;
    private static final int AREA = 64;
    private static final int GRAIN = 24;
    private static final int LEVELS = 200;

    private Photo() {}

    /**
     * Makes the photo of a number.
     *
     * @param quality of the JPEG, from 0 to 1
     */
    static byte[] jpeg(long number, int width, int height, float quality) throws IOException {
        SplittableRandom random = new SplittableRandom(number);
        int[] areas = random.ints((long) (width / AREA + 1) * (height / AREA + 1), 0, LEVELS)
                .toArray();
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int level = areas[y / AREA * (width / AREA + 1) + x / AREA];
                int red = level + random.nextInt(GRAIN);
                int green = (level * 2 + x / AREA) % LEVELS + random.nextInt(GRAIN);
                int blue = (level + y / AREA * 3) % LEVELS + random.nextInt(GRAIN);
                image.setRGB(x, y, red << 16 | green << 8 | blue);
            }
        }
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpg").next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            ImageWriteParam parameters = writer.getDefaultWriteParam();
            parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            parameters.setCompressionQuality(quality);
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, List.of(), null), parameters);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    /** Returns a photo of the same picture that is another file: its number is in a comment. */
    static byte[] copy(byte[] jpeg, long number) {
        return ByteBuffer.allocate(jpeg.length + COMMENT.length + Long.BYTES)
                .put(jpeg, 0, START)
                .put(COMMENT)
                .putLong(number)
                .put(jpeg, START, jpeg.length - START)
                .array();
    }
}
