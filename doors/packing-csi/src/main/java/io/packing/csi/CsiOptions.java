// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

import io.packing.blob.FilePath;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The configuration of a driver's process.
 *
 * @param name of the driver, which StorageClasses call their provisioner
 * @param base the directory of the mount that has the volumes
 * @param nodeId the name of the node; empty for a controller
 * @param state a local directory for what a restarted driver has to know
 * @param stager the socket of the process that has the file systems; empty: this process starts them
 */
public record CsiOptions(
        String name, Path socket, CsiPart part, FilePath base, String nodeId, Path state, Optional<Path> stager) {
    /** The name of the driver, unless a cluster has several. */
    public static final String DEFAULT_NAME = "csi.packing.io";

    private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9.-]{0,61}[a-z])?");
    private static final String SCHEME = "unix:";
    private static final int MOST_NODE_CHARACTERS = 256;

    public CsiOptions {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no name of a driver: it has at most 63 small letters, digits, dots and hyphens, and begins and ends with a letter"
                            .formatted(name));
        }
        if (base.isRoot()) {
            throw new IllegalArgumentException(
                    "the volumes need a directory of the mount, such as packing://HOST/volumes, and not all of it");
        }
        base.whyNotForUsers().ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
        if (part.isNode() && (nodeId.isEmpty() || nodeId.length() > MOST_NODE_CHARACTERS)) {
            throw new IllegalArgumentException("the node has no name, or a too long one: give --node-id");
        }
    }

    /**
     * Reads an endpoint, {@code unix:///DIRECTORY/csi.sock}.
     *
     * @throws IllegalArgumentException when it is something else
     */
    public static Path socket(String endpoint) {
        String path = endpoint.startsWith(SCHEME) ? endpoint.substring(SCHEME.length()) : endpoint;
        if (path.startsWith("//")) {
            path = path.substring(2);
        }
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException(
                    "'%s' is no endpoint: give unix:///DIRECTORY/csi.sock".formatted(endpoint));
        }
        return Path.of(path);
    }
}
