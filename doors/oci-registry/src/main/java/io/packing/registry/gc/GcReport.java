package io.packing.registry.gc;

/**
 * What a collection removed, or would remove.
 *
 * @param manifests that no tag reaches
 * @param links of repositories to blobs that no manifest of theirs names
 * @param blobs that no repository has
 * @param blobBytes bytes of their originals
 * @param files contents that no recipe names
 * @param fileBytes their bytes
 * @param uploads that nobody goes on with
 * @param scratch files that were never put in their place
 * @param restored candidates that somebody came to need meanwhile
 * @param retagged tags that name the translation of what was pushed from now on
 */
public record GcReport(
        long manifests,
        long links,
        long blobs,
        long blobBytes,
        long files,
        long fileBytes,
        long uploads,
        long scratch,
        long restored,
        long retagged) {}
