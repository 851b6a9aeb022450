// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import io.packing.bdt.ExtendedValue;
import io.packing.blob.FilePath;
import io.packing.fuse.Mode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A file of an image under all of its names: a regular file, a symbolic link, a device, a fifo or a socket. Add one object under
 * several names for hard links.
 */
public final class ImageFile extends ImageNode {
    /** The most bytes that a file has in the image itself. */
    public static final int MOST_INLINE_BYTES = 64 << 10;

    /** The longest path that the kernel follows. */
    static final int MOST_PATH_BYTES = 4095;

    private static final int MOST_TARGET_BYTES = 4095;
    private static final int MOST_MAJOR = 0xFFF;
    private static final int MOST_MINOR = 0xFFFFF;
    private static final byte[] NONE = {};
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    private final int type;
    /** The length that the file shows. */
    private final long length;
    /** The bytes in the image. */
    private final byte[] bytes;
    /** The path of the bytes from a directory of contents. */
    private final Optional<String> contentPath;
    /** The number of a device, in the kernel's form. */
    private final int device;

    private ImageFile(
            ImageAttributes attributes, int type, long length, byte[] bytes, Optional<String> contentPath, int device) {
        super(attributes);
        this.type = type;
        this.length = length;
        this.bytes = bytes;
        this.contentPath = contentPath;
        this.device = device;
    }

    /**
     * Makes a file whose bytes are in a directory of contents.
     *
     * @param sha256 of its bytes, in hexadecimal digits
     */
    public static ImageFile ofContent(ImageAttributes attributes, String sha256, long length) {
        if (!SHA_256.matcher(sha256).matches() || length <= 0) {
            throw new IllegalArgumentException("no content: %.80s of %d bytes".formatted(sha256, length));
        }
        return new ImageFile(attributes, Mode.REGULAR, length, NONE, Optional.of(contentPath(sha256)), 0);
    }

    /**
     * Makes a file whose bytes are at a path of the data-only layer, as of a directory that has the tree's own names.
     *
     * @param path at most {@value #MOST_PATH_BYTES} bytes of UTF-8
     */
    public static ImageFile ofPath(ImageAttributes attributes, FilePath path, long length) {
        if (path.isRoot() || length <= 0 || path.value().getBytes(StandardCharsets.UTF_8).length > MOST_PATH_BYTES) {
            throw new IllegalArgumentException("no file of %,d bytes can be at '%.200s'".formatted(length, path));
        }
        return new ImageFile(attributes, Mode.REGULAR, length, NONE, Optional.of(path.value()), 0);
    }

    /** Returns the path of a content from a directory of contents. */
    public static String contentPath(String sha256) {
        return "/" + sha256.substring(0, 2) + "/" + sha256;
    }

    /** Makes a short file whose bytes are in the image. */
    public static ImageFile ofBytes(ImageAttributes attributes, byte[] bytes) {
        return inImage(attributes, Mode.REGULAR, bytes, 0, MOST_INLINE_BYTES);
    }

    /** Makes a symbolic link. */
    public static ImageFile ofLink(ImageAttributes attributes, byte[] target) {
        return inImage(attributes, Mode.SYMLINK, target, 1, MOST_TARGET_BYTES);
    }

    private static ImageFile inImage(ImageAttributes attributes, int type, byte[] bytes, int least, int most) {
        if (bytes.length < least || bytes.length > most) {
            throw new IllegalArgumentException(
                    "%,d bytes in an image, where %,d to %,d may be".formatted(bytes.length, least, most));
        }
        return new ImageFile(attributes, type, bytes.length, bytes.clone(), Optional.empty(), 0);
    }

    /** Makes a block device. */
    public static ImageFile ofBlockDevice(ImageAttributes attributes, int major, int minor) {
        return new ImageFile(attributes, Mode.BLOCK_DEVICE, 0, NONE, Optional.empty(), device(major, minor));
    }

    /** Makes a character device; 0:0 is refused, since it is a whiteout for overlayfs. */
    public static ImageFile ofCharacterDevice(ImageAttributes attributes, int major, int minor) {
        if (major == 0 && minor == 0) {
            throw new IllegalArgumentException("the character device 0:0 is a whiteout");
        }
        return new ImageFile(attributes, Mode.CHARACTER_DEVICE, 0, NONE, Optional.empty(), device(major, minor));
    }

    public static ImageFile ofFifo(ImageAttributes attributes) {
        return new ImageFile(attributes, Mode.FIFO, 0, NONE, Optional.empty(), 0);
    }

    public static ImageFile ofSocket(ImageAttributes attributes) {
        return new ImageFile(attributes, Mode.SOCKET, 0, NONE, Optional.empty(), 0);
    }

    private static int device(int major, int minor) {
        if (major < 0 || major > MOST_MAJOR || minor < 0 || minor > MOST_MINOR) {
            throw new IllegalArgumentException("the kernel has no device %d:%d".formatted(major, minor));
        }
        return (minor & 0xff) | (major << 8) | ((minor & ~0xff) << 12);
    }

    @Override
    int type() {
        return type;
    }

    long length() {
        return length;
    }

    byte[] bytes() {
        return bytes.clone();
    }

    int device() {
        return device;
    }

    /** Returns whether the bytes are in a directory of contents. */
    boolean isContent() {
        return contentPath.isPresent();
    }

    @Override
    Map<String, ExtendedValue> extended() {
        return contentPath
                .map(path -> OverlayAttributes.with(super.extended(), path))
                .orElseGet(super::extended);
    }
}
