// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.PackedFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One file's entry in one blob's footer, as a recovery stages it. */
public record StagedFile(BlobName blob, PackedFile file) {
    public byte[] key() {
        return Keys.staged(file.version().generation(), file.version().id(), blob.toString());
    }

    public byte[] encode() {
        List<Inode.StoredExtent> extents = file.extents().stream()
                .map(extent -> new Inode.StoredExtent(0, extent))
                .toList();
        byte[] inode = new Inode(
                        file.version().id(), file.version().generation(), file.attributes(), Inode.Packed.of(extents))
                .encode();
        return new Bytes.Out()
                .text(blob.toString())
                .text(file.path().value())
                .blob(inode)
                .toBytes();
    }

    public static StagedFile decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        BlobName blob = BlobName.parse(in.text());
        FilePath path = new FilePath(in.text());
        Inode inode = Inode.decode(in.blob());
        List<Extent> extents = inode.place() instanceof Inode.Packed packed
                ? packed.extents().stream().map(Inode.StoredExtent::extent).toList()
                : List.of();
        return new StagedFile(
                blob,
                new PackedFile(new FileVersion(inode.id(), inode.generation()), path, inode.attributes(), extents));
    }

    /**
     * The extents of a version from all blobs that have some of it, or empty when bytes are missing. A crash between
     * push and commit leaves a version in two blobs; one copy is taken.
     */
    public static Optional<List<BlobExtent>> complete(List<StagedFile> all) {
        // Bytes of our own before those in objects of others, if a file that was adopted was packed later.
        List<StagedFile> parts =
                all.stream().sorted(Comparator.comparing(StagedFile::isAdopted)).toList();
        for (StagedFile part : parts) {
            Optional<List<BlobExtent>> alone = chain(List.of(part));
            if (alone.isPresent()) {
                return alone;
            }
        }
        return chain(parts);
    }

    private boolean isAdopted() {
        return file.extents().stream().anyMatch(each -> each.codec() == Codec.ADOPTED);
    }

    private static Optional<List<BlobExtent>> chain(List<StagedFile> parts) {
        Map<Long, BlobExtent> byOffset = new TreeMap<>();
        parts.stream()
                .sorted(Comparator.comparing(part -> part.blob.toString()))
                .forEach(part -> part.file
                        .extents()
                        .forEach(extent -> byOffset.merge(
                                extent.fileOffset(),
                                new BlobExtent(part.blob, extent),
                                (a, b) -> a.extent().length() >= b.extent().length() ? a : b)));
        long length = parts.get(0).file.attributes().length();
        List<BlobExtent> chain = new ArrayList<>();
        long end = 0;
        for (BlobExtent next : byOffset.values()) {
            if (next.extent().fileOffset() == end) {
                chain.add(next);
                end = next.extent().fileEnd();
            }
        }
        return end == length ? Optional.of(chain) : Optional.empty();
    }
}
