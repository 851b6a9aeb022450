// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.s3gateway.auth.ChecksumAlgorithm;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An upload of an object in parts: a directory of scratch files, with attributes that its object will have.
 *
 * @param home the directory of all uploads of a user to a bucket
 * @param directory of this one
 * @param id by which requests name it
 * @param beganMillis the time of its begin
 * @param algorithm of the checksums of its parts; empty: they have none
 * @param isFullObject true if the object's checksum is that of all its bytes
 */
public record Upload(
        FilePath home,
        FilePath directory,
        String id,
        String key,
        ObjectAttributes attributes,
        long beganMillis,
        Optional<ChecksumAlgorithm> algorithm,
        boolean isFullObject) {
    private static final String KEY = ObjectAttributes.PREFIX + "upload-key";
    private static final String ALGORITHM = ObjectAttributes.PREFIX + "upload-sum";
    private static final String FULL = "FULL_OBJECT";
    private static final String COMPOSITE = "COMPOSITE";

    /** Returns the type of the object's checksum in words of the protocol. */
    public String checksumType() {
        return isFullObject ? FULL : COMPOSITE;
    }

    /** Returns the type that a word of the protocol names, or the one that an algorithm has by itself. */
    public static boolean isFullObject(Optional<String> word, Optional<ChecksumAlgorithm> algorithm) {
        return word.map(FULL::equalsIgnoreCase).orElse(algorithm.equals(Optional.of(ChecksumAlgorithm.CRC64NVME)));
    }

    /** Returns the steps that give the directory its attributes. */
    List<ExtendedChange> steps() {
        List<ExtendedChange> steps = new ArrayList<>(attributes.steps(true));
        steps.add(ExtendedChange.put(KEY, value(key)));
        algorithm.ifPresent(
                each -> steps.add(ExtendedChange.put(ALGORITHM, value(each.name() + " " + checksumType()))));
        return steps;
    }

    private static ExtendedValue value(String text) {
        return new ExtendedValue(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Map<String, ExtendedValue> extended, String name) {
        ExtendedValue value = extended.get(name);
        return value == null ? "" : new String(value.bytes(), StandardCharsets.UTF_8);
    }

    /** Reads an upload; empty when the directory is none. */
    static Optional<Upload> of(FilePath home, FileStatus directory, Map<String, ExtendedValue> extended) {
        String key = text(extended, KEY);
        if (key.isEmpty()) {
            return Optional.empty();
        }
        String sum = text(extended, ALGORITHM);
        int space = sum.indexOf(' ');
        return Optional.of(new Upload(
                home,
                directory.path(),
                directory.path().name(),
                key,
                ObjectAttributes.of(extended),
                directory.attributes().mtimeMillis(),
                ChecksumAlgorithm.named(space < 0 ? sum : sum.substring(0, space)),
                sum.endsWith(FULL)));
    }

    /** Returns the path of a part. */
    FilePath part(int number) {
        return directory.child("%05d".formatted(number));
    }
}
