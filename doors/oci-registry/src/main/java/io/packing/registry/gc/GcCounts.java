// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.gc;

/** Counts of a collection so far. Confined to one thread. */
final class GcCounts {
    long manifests;
    long links;
    long blobs;
    long blobBytes;
    long files;
    long fileBytes;
    long uploads;
    long scratch;
    long restored;
    long retagged;

    GcReport report() {
        return new GcReport(manifests, links, blobs, blobBytes, files, fileBytes, uploads, scratch, restored, retagged);
    }
}
