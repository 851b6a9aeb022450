// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.ScannedFile;
import io.packing.bdt.UnavailableException;
import io.packing.blob.BlobExtent;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Gives damage its paths. A file that changed since the check is not reported. Thread-safe.
 */
final class DamageLocator {
    private final BdtLookups bdt;
    private final DamageLog log;
    private final SharedDamage shared;

    DamageLocator(BdtLookups bdt, DamageLog log, HardLinkNames links, OlderFiles older) {
        this.bdt = bdt;
        this.log = log;
        this.shared = new SharedDamage(bdt, log, links, older);
    }

    /** Returns the damage of shared contents; a walk finds their files in the end. */
    SharedDamage shared() {
        return shared;
    }

    /** Damage that concerns no file. */
    void ofBlob(DamageKind kind, String key, String detail) {
        log.add(new Damage("", kind, key, detail));
    }

    /** Reports a file whose bytes no worker holds, or whose worker does not answer. */
    void ofFile(ScannedFile file, DamageKind kind, String detail) throws IOException {
        if (file.path().isEmpty()) {
            shared.add(file.version(), kind, "", 0, file.length(), detail);
            return;
        }
        Optional<LocatedFile> now = bdt.locate(file.version());
        if (now.isPresent() && now.get().status().state() == file.state()) {
            shared.addFile(file.version(), new Damage(now.get().status().path().value(), kind, "", detail));
        }
    }

    /** Reports a wrong extent of a scanned file. */
    void ofExtent(ScannedFile file, Extent extent, DamageKind kind, BlobState blob, String detail) throws IOException {
        ofExtent(file.version(), file.path().isEmpty(), extent, kind, blob, detail);
    }

    /** An extent in a blob that the table does not know: it cannot be located. */
    void ofUnknownBlob(ScannedFile file, Extent extent, String detail) {
        Optional<FilePath> path = file.path();
        if (path.isPresent()) {
            shared.addFile(file.version(), new Damage(path.get().value(), DamageKind.UNKNOWN_BLOB, "", detail));
        } else {
            shared.add(file.version(), DamageKind.UNKNOWN_BLOB, "", extent.fileOffset(), extent.fileEnd(), detail);
        }
    }

    private void ofExtent(
            FileVersion version, boolean content, Extent extent, DamageKind kind, BlobState blob, String detail)
            throws IOException {
        Optional<LocatedFile> now = now(version, blob);
        if (now.isEmpty()) {
            return;
        }
        if (content) {
            shared.add(version, kind, blob.key(), extent.fileOffset(), extent.fileEnd(), detail);
        } else {
            shared.addFile(version, new Damage(now.get().status().path().value(), kind, blob.key(), detail));
        }
    }

    /** All bytes that a version has in a blob. */
    void ofMark(ExtentMark mark, DamageKind kind, BlobState blob, String detail) throws IOException {
        Optional<LocatedFile> now = now(mark.version(), blob);
        if (now.isEmpty()) {
            return;
        }
        if (mark.content()) {
            for (Extent extent : extents(now.get(), blob)) {
                shared.add(mark.version(), kind, blob.key(), extent.fileOffset(), extent.fileEnd(), detail);
            }
        } else {
            shared.addFile(mark.version(), new Damage(now.get().status().path().value(), kind, blob.key(), detail));
        }
    }

    /** One extent of a version. */
    void ofMark(ExtentMark mark, Extent extent, DamageKind kind, BlobState blob, String detail) throws IOException {
        ofExtent(mark.version(), mark.content(), extent, kind, blob, detail);
    }

    /** The extents of a version in a blob, as the table has them now. */
    List<Extent> extents(FileVersion version, BlobState blob) throws IOException {
        return now(version, blob).map(file -> extents(file, blob)).orElse(List.of());
    }

    /** A version that still has bytes in a blob. */
    private Optional<LocatedFile> now(FileVersion version, BlobState blob) throws IOException {
        try {
            return bdt.locate(version).filter(file -> !extents(file, blob).isEmpty());
        } catch (UnavailableException e) {
            throw e;
        } catch (IOException e) {
            // The table contradicts itself in this file: the scan of its row reported that.
            return Optional.empty();
        }
    }

    private static List<Extent> extents(LocatedFile file, BlobState blob) {
        return file.placement() instanceof Placement.Packed packed
                ? packed.extents().stream()
                        .filter(each -> each.blob().equals(blob.name()))
                        .map(BlobExtent::extent)
                        .toList()
                : List.of();
    }
}
