// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.gc;

/**
 * The removed objects of a collection, or those that it would remove.
 *
 * @param manifests that no tag reaches
 * @param links of repositories to blobs that no manifest of theirs names
 * @param blobs that no repository has
 * @param blobBytes bytes of their originals
 * @param files contents that no recipe names
 * @param fileBytes their bytes
 * @param uploads that no client goes on with
 * @param scratch files that were never put in their place
 * @param restored candidates that a push began to need meanwhile
 * @param retagged tags that name the translation of their pushed image from now on
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
