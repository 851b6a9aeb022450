// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.blob.BlobReader;
import io.packing.blob.BlobVerifier;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Decoding;
import io.packing.blob.Decodings;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileVersion;
import io.packing.blob.Footer;
import io.packing.blob.PackedFile;
import io.packing.blob.SoundRead;
import io.packing.blob.VerifiedBlob;
import io.packing.encryption.Keystore;
import io.packing.operations.walk.BlobObject;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Checks blobs against what the table has in them: their footers, and all their bytes if these are wanted. Thread-safe. */
final class BlobCheck {
    private final ObjectStore store;
    private final DamageLocator findings;
    private final Predicate<BlobState> verified;
    private final Keystore keystore;
    private final Decodings decodings;
    private final AdoptedCheck adopted;

    /**
     * @param keystore that is asked when blobs are encrypted
     * @param adopted looks for the objects of adopted files
     * @param verified which blobs are read as a whole
     */
    BlobCheck(
            ObjectStore store,
            Keystore keystore,
            DamageLocator findings,
            AdoptedCheck adopted,
            Predicate<BlobState> verified) {
        this.adopted = adopted;
        this.keystore = keystore;
        this.decodings = new Decodings(keystore);
        this.store = store;
        this.findings = findings;
        this.verified = verified;
    }

    /** @param marks all that the table has in the blob, of which at least one */
    void check(BlobState blob, List<ExtentMark> marks) throws IOException {
        try {
            boolean isVerified = verified.test(blob);
            boolean sound = footer(blob, marks, isVerified);
            if (isVerified) {
                verify(blob, marks, sound);
            }
        } catch (ObjectNotFoundException e) {
            // Compaction and collection remove blobs: files that still have bytes in this one are damaged.
            for (ExtentMark mark : oneForEach(marks)) {
                findings.ofMark(mark, DamageKind.MISSING, blob, String.valueOf(e.getMessage()));
            }
        }
    }

    private BlobObject source(BlobState blob) {
        return new BlobObject(store, blob.key(), blob.objectLength());
    }

    /** Compares the table with the footer; returns whether that could be read. Extents without a key or a dictionary are left to the verification. */
    private boolean footer(BlobState blob, List<ExtentMark> marks, boolean isVerified) throws IOException {
        Footer footer;
        try {
            footer = BlobReader.open(source(blob), blob.name().footerOffset(), keystore)
                    .footer();
        } catch (CorruptBlobException e) {
            Map<Codec, Optional<String>> known = new EnumMap<>(Codec.class);
            for (ExtentMark mark : oneForEach(marks)) {
                Optional<String> lack = lack(blob, mark, known);
                if (lack.isEmpty()) {
                    findings.ofMark(mark, DamageKind.FOOTER, blob, String.valueOf(e.getMessage()));
                } else if (!isVerified) {
                    findings.ofMark(mark, DamageKind.CHECKSUM, blob, lack.get());
                }
            }
            return false;
        }
        long[] prints =
                marks.stream().mapToLong(ExtentMark::print).distinct().sorted().toArray();
        boolean[] found = new boolean[prints.length];
        Map<Long, Extent> names = new HashMap<>();
        for (PackedFile file : footer) {
            for (Extent extent : file.extents()) {
                int at = Arrays.binarySearch(prints, ExtentMark.print(file.version(), extent));
                if (at >= 0) {
                    found[at] = true;
                    if (extent.codec() == Codec.ADOPTED && adopted.isOn()) {
                        names.put(prints[at], extent);
                    }
                }
            }
        }
        Set<Long> missed = new LinkedHashSet<>();
        for (int i = 0; i < found.length; i++) {
            if (!found[i]) {
                missed.add(prints[i]);
            }
        }
        if (!missed.isEmpty()) {
            List<ExtentMark> wrong =
                    marks.stream().filter(mark -> missed.contains(mark.print())).toList();
            for (ExtentMark mark : oneForEach(wrong)) {
                findings.ofMark(mark, DamageKind.DISAGREEMENT, blob, DamageKind.DISAGREEMENT.meaning());
            }
        }
        if (!names.isEmpty()) {
            List<AdoptedCheck.Named> named = new ArrayList<>();
            for (ExtentMark mark : marks) {
                Extent extent = names.get(mark.print());
                if (extent != null) {
                    named.add(new AdoptedCheck.Named(mark, extent));
                }
            }
            adopted.check(blob, named);
        }
        return true;
    }

    /**
     * Returns the reason why no reader can decode the bytes of a version in a blob; empty: a reader has the key and the dictionary.
     *
     * @param known reasons by codec
     */
    private Optional<String> lack(BlobState blob, ExtentMark mark, Map<Codec, Optional<String>> known)
            throws IOException {
        for (Extent extent : findings.extents(mark.version(), blob)) {
            if (!known.containsKey(extent.codec())) {
                known.put(extent.codec(), lack(blob, mark, extent));
            }
            Optional<String> lack = known.getOrDefault(extent.codec(), Optional.empty());
            if (lack.isPresent()) {
                return lack;
            }
        }
        return Optional.empty();
    }

    private Optional<String> lack(BlobState blob, ExtentMark mark, Extent extent) throws IOException {
        try {
            Decoding unused = decodings.of(blob.name(), mark.version().id(), extent, source(blob));
            return Optional.empty();
        } catch (CorruptBlobException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Iterable<ExtentMark> oneForEach(List<ExtentMark> marks) {
        Map<FileVersion, ExtentMark> one = new LinkedHashMap<>();
        marks.forEach(mark -> one.putIfAbsent(mark.version(), mark));
        return one.values();
    }

    private void verify(BlobState blob, List<ExtentMark> marks, boolean footerIsSound) throws IOException {
        String why = "";
        if (footerIsSound) {
            try {
                VerifiedBlob sound = BlobVerifier.verify(source(blob), keystore);
                if (sound.length() == blob.objectLength()) {
                    // The table may still have other checksums than the footer.
                    return;
                }
            } catch (CorruptBlobException e) {
                why = String.valueOf(e.getMessage());
            }
        }
        boolean ofFiles = false;
        for (ExtentMark mark : oneForEach(marks)) {
            for (Extent extent : findings.extents(mark.version(), blob)) {
                ofFiles |= extent(blob, mark, extent);
            }
        }
        if (!ofFiles && footerIsSound) {
            findings.ofBlob(DamageKind.GAPS, blob.key(), why);
        }
    }

    /** Reads an extent; returns whether it is damaged. */
    private boolean extent(BlobState blob, ExtentMark mark, Extent extent) throws IOException {
        if (extent.blobEnd() > blob.objectLength()) {
            // The damage of a short blob was reported before.
            return true;
        }
        BlobObject source = source(blob);
        try {
            Decoding with = decodings.of(blob.name(), mark.version().id(), extent, source);
            int bytes = SoundRead.of(
                    source,
                    extent.blobOffset(),
                    extent.storedLength(),
                    stored -> ExtentCodec.verify(source.name(), extent, stored, with));
            return bytes == 0;
        } catch (CorruptBlobException e) {
            findings.ofMark(mark, extent, DamageKind.CHECKSUM, blob, String.valueOf(e.getMessage()));
            return true;
        }
    }
}
