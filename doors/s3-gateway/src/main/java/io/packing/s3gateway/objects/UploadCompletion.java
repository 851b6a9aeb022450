// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.Precondition;
import io.packing.blob.FilePath;
import io.packing.s3gateway.auth.ChecksumAlgorithm;
import io.packing.s3gateway.auth.PartSums;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Completions of uploads. One vector makes a file, clones the bytes of all parts into it, moves it to the path of its key, and deletes the
 * parts. It copies no byte, and no reader sees only some of the parts.
 */
public final class UploadCompletion {
    /** The least bytes of each part but the last, as in S3. */
    public static final long LEAST_PART = 5L << 20;

    private static final int MODE = 0644;

    private final KeyPaths paths;
    private final WriteClock clock;
    private final MultipartUploads uploads;

    public UploadCompletion(KeyPaths paths, WriteClock clock, MultipartUploads uploads) {
        this.paths = paths;
        this.clock = clock;
        this.uploads = uploads;
    }

    /**
     * A part as the completion names it.
     *
     * @param etag without quotes
     * @param sum of its bytes in base64; empty: the client names none
     */
    public record Named(int number, String etag, Optional<String> sum) {}

    /** Returns the object of an upload that has been completed already: a client asks again when it got no answer. */
    public Optional<ObjectWriter.Written> completed(UserMount mount, String bucket, String key, String id)
            throws IOException {
        Optional<LocatedFile> there = mount.locate(paths.path(paths.bucket(bucket), key));
        if (there.isEmpty()) {
            return Optional.empty();
        }
        StoredObject info = mount.info(key, there.get());
        return info.isAsWritten() && info.attributes().upload().equals(id)
                ? Optional.of(new ObjectWriter.Written(info.etag(), info.sums()))
                : Optional.empty();
    }

    /**
     * Makes the object of an upload.
     *
     * @param wanted checksum of the whole object in base64; empty: the client names none
     */
    public ObjectWriter.Written complete(
            UserMount mount,
            String bucket,
            Upload upload,
            List<Named> named,
            Optional<String> wanted,
            WriteCondition condition)
            throws IOException {
        List<StoredObject> parts = check(mount, upload, named);
        FilePath directory = paths.bucket(bucket);
        ObjectPlacement placement = new ObjectPlacement(
                mount, bucket, directory, upload.key(), paths.path(directory, upload.key()), condition);
        placement.check();
        FilePath whole = upload.directory().child("whole");
        List<Precondition> preconditions = new ArrayList<>();
        List<Operation> operations = new ArrayList<>();
        operations.add(new Operation.CreateFile(
                whole, new AttributeChange(Optional.of(mount.user()), Optional.empty(), OptionalInt.of(MODE)), false));
        long length = 0;
        for (StoredObject part : parts) {
            preconditions.add(new Precondition.SameVersion(
                    part.status().path(), part.status().version()));
            if (part.length() > 0) {
                operations.add(
                        new Operation.CloneRange(new ByteRange(part.status().path(), 0, part.length()), whole, length));
                length += part.length();
            }
        }
        SortedMap<String, String> sums = sums(upload, parts, wanted);
        String lengths =
                parts.stream().map(part -> Long.toString(part.length())).collect(Collectors.joining(","));
        ObjectAttributes attributes = upload.attributes()
                .withSums(sums)
                .withParts(lengths, upload.id())
                .with(clock.mark(etag(parts), length));
        operations.add(new Operation.SetAttributes(whole, WriteClock.change(attributes, true)));
        placement.place(new ObjectPlacement.Move(
                preconditions, operations, whole, List.of(new Operation.Delete(upload.directory(), true))));
        return new ObjectWriter.Written(attributes.etag().orElseThrow().etag(), sums);
    }

    private List<StoredObject> check(UserMount mount, Upload upload, List<Named> named) throws IOException {
        Map<Integer, StoredObject> there = new HashMap<>();
        uploads.parts(mount, upload, 0, MultipartUploads.MOST_PARTS)
                .forEach(part -> there.put(part.number(), part.info()));
        List<StoredObject> parts = new ArrayList<>();
        int before = 0;
        for (Named each : named) {
            if (each.number() <= before) {
                throw new S3Exception(S3Code.INVALID_PART_ORDER, "the parts are not in the order of their numbers");
            }
            before = each.number();
            StoredObject part = there.get(each.number());
            if (part == null || !part.etag().equals(each.etag())) {
                throw new S3Exception(
                        S3Code.INVALID_PART, "there is no part %d with this ETag".formatted(each.number()));
            }
            if (each.sum().isPresent()
                    && !part.sums().isEmpty()
                    && !part.sums().containsValue(each.sum().get())) {
                throw new S3Exception(S3Code.INVALID_PART, "part %d has another checksum".formatted(each.number()));
            }
            parts.add(part);
        }
        for (StoredObject part : parts.subList(0, Math.max(0, parts.size() - 1))) {
            if (part.length() < LEAST_PART) {
                throw new S3Exception(
                        S3Code.ENTITY_TOO_SMALL,
                        "part %s has %,d bytes: each but the last has at least %,d"
                                .formatted(part.key(), part.length(), LEAST_PART));
            }
        }
        return parts;
    }

    /** Returns the ETag of an object in parts: the MD5 of their ETags, and their number. */
    private static String etag(List<StoredObject> parts) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            parts.forEach(part -> md5.update(HexFormat.of().parseHex(part.etag())));
            return "%s-%d".formatted(HexFormat.of().formatHex(md5.digest()), parts.size());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has MD5", e);
        }
    }

    /** Returns the checksum of the object, if each part has one. */
    private static SortedMap<String, String> sums(Upload upload, List<StoredObject> parts, Optional<String> wanted)
            throws S3Exception {
        SortedMap<String, String> sums = new TreeMap<>();
        ChecksumAlgorithm algorithm = upload.algorithm().orElse(ChecksumAlgorithm.CRC64NVME);
        boolean areThere = parts.stream().allMatch(part -> part.sums().containsKey(algorithm.header()));
        if (!areThere) {
            if (wanted.isPresent()) {
                throw S3Exception.request("the checksum of the object cannot be checked: a part has no " + algorithm);
            }
            return sums;
        }
        PartSums all = new PartSums(algorithm);
        for (StoredObject part : parts) {
            all.add(part.sums().getOrDefault(algorithm.header(), ""), part.length());
        }
        boolean isFull = upload.algorithm().isEmpty() || upload.isFullObject();
        String value = isFull ? all.fullObject() : all.composite();
        if (wanted.isPresent() && !wanted.get().equals(value)) {
            throw new S3Exception(S3Code.BAD_DIGEST, "the checksum of the object is not the one that the client sent");
        }
        sums.put(algorithm.header(), value);
        sums.put("x-amz-checksum-type", isFull ? "FULL_OBJECT" : "COMPOSITE");
        return sums;
    }
}
