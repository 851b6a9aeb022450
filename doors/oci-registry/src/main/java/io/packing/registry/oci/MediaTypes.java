// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.oci;

import java.util.Map;

/** The media types that decide something here. */
public final class MediaTypes {
    public static final String OCI_INDEX = "application/vnd.oci.image.index.v1+json";
    public static final String OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";

    public static final String OCI_CONFIG = "application/vnd.oci.image.config.v1+json";
    public static final String DOCKER_INDEX = "application/vnd.docker.distribution.manifest.list.v2+json";
    public static final String DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
    public static final String DOCKER_CONFIG = "application/vnd.docker.container.image.v1+json";

    /** The types of manifests, for messages. */
    public static final String MANIFESTS = String.join(", ", OCI_MANIFEST, OCI_INDEX, DOCKER_MANIFEST, DOCKER_INDEX);

    private static final Map<String, String> OCI_LAYERS = Map.of(
            "application/vnd.docker.image.rootfs.diff.tar", "application/vnd.oci.image.layer.v1.tar",
            "application/vnd.docker.image.rootfs.diff.tar.gzip", "application/vnd.oci.image.layer.v1.tar+gzip",
            "application/vnd.docker.image.rootfs.diff.tar.zstd", "application/vnd.oci.image.layer.v1.tar+zstd");

    private MediaTypes() {}

    /** Returns whether a manifest may be of this type: one of the image specification, or Docker's that it was made of. */
    public static boolean isManifest(String mediaType) {
        return isImage(mediaType) || isIndex(mediaType);
    }

    /** Returns whether it is the manifest of one image. */
    public static boolean isImage(String mediaType) {
        return mediaType.equals(OCI_MANIFEST) || mediaType.equals(DOCKER_MANIFEST);
    }

    /** Returns whether it is a list of manifests. */
    public static boolean isIndex(String mediaType) {
        return mediaType.equals(OCI_INDEX) || mediaType.equals(DOCKER_INDEX);
    }

    /** Returns OCI's name for a type of layers that Docker names; other types have one name. */
    public static String ociLayer(String mediaType) {
        return OCI_LAYERS.getOrDefault(mediaType, mediaType);
    }

    /** Returns whether a layer of an image is compressed. */
    public static boolean isCompressedLayer(String mediaType) {
        String oci = ociLayer(mediaType);
        return oci.equals("application/vnd.oci.image.layer.v1.tar+gzip")
                || oci.equals("application/vnd.oci.image.layer.v1.tar+zstd");
    }

    /** Returns a type without parameters, such as a character set. */
    public static String bare(String contentType) {
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).strip();
    }

    /** Returns whether a layer of this type is not pushed to registries. */
    static boolean isForeign(String mediaType) {
        return mediaType.contains(".nondistributable.") || mediaType.contains(".foreign.");
    }
}
