package io.packing.cli;

import io.packing.blob.FilePath;
import java.util.regex.Pattern;

/** A path of the mount, from a command's arguments. */
final class MountPath {
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*");

    private MountPath() {}

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when it is the address of something, which may be in another mount
     */
    static FilePath of(String text) {
        if (ADDRESS.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    ("%s is an address: give a path, such as /a, of the mount that --master and"
                                    + " packing.store name. Mounts share no bytes: packing dump and packing load --bytes copy files"
                                    + " from one to another")
                            .formatted(text));
        }
        return FilePath.normalise(text);
    }
}
