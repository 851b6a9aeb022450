// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.copy;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The source, the target and the options of a copy.
 *
 * @param from a file or a directory
 * @param to what it becomes: not the directory that it comes to be in
 * @param threads that copy files
 * @param overwrite whether a file that is there and differs is replaced
 * @param checksum whether bytes are compared: those of files that are there, and those of copies, which are read back
 * @param configuration keys of Hadoop's configuration, those of mounts ({@code packing.*}) among them
 * @param sourceConfiguration such keys for the source alone
 * @param targetConfiguration such keys for the target alone
 * @param files of Hadoop's configuration, such as core-site.xml
 */
public record CopySpec(
        URI from,
        URI to,
        int threads,
        boolean overwrite,
        boolean checksum,
        Map<String, String> configuration,
        Map<String, String> sourceConfiguration,
        Map<String, String> targetConfiguration,
        List<Path> files) {
    public CopySpec {
        if (threads < 1) {
            throw new IllegalArgumentException("--threads must be positive");
        }
        configuration = Map.copyOf(configuration);
        sourceConfiguration = Map.copyOf(sourceConfiguration);
        targetConfiguration = Map.copyOf(targetConfiguration);
        files = List.copyOf(files);
    }

    /**
     * A place as people write it: a URI with a scheme, or a path of this machine.
     *
     * @throws IllegalArgumentException when it is neither
     */
    public static URI place(String text) {
        return scheme(text).isPresent()
                ? URI.create(text)
                : Path.of(text).toAbsolutePath().normalize().toUri();
    }

    private static Optional<String> scheme(String text) {
        int colon = text.indexOf(":/");
        return colon > 1 && text.substring(0, colon).matches("[A-Za-z][A-Za-z0-9+.-]*")
                ? Optional.of(text.substring(0, colon))
                : Optional.empty();
    }
}
