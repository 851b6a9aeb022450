package io.packing.registry.oci;

/** The media types that decide something here. */
public final class MediaTypes {
    public static final String OCI_INDEX = "application/vnd.oci.image.index.v1+json";
    public static final String OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";

    private MediaTypes() {}

    /** Without parameters, such as a character set. */
    public static String bare(String contentType) {
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).strip();
    }

    /** Whether a layer of this type is not pushed to registries. */
    static boolean isForeign(String mediaType) {
        return mediaType.contains(".nondistributable.") || mediaType.contains(".foreign.");
    }
}
