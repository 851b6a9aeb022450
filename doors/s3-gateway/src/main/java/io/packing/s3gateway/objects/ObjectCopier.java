// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Copies of objects, which are clones: no byte is copied, whatever the length is. */
public final class ObjectCopier {
    private final KeyPaths paths;
    private final WriteClock clock;

    public ObjectCopier(KeyPaths paths, WriteClock clock) {
        this.paths = paths;
        this.clock = clock;
    }

    /**
     * The object that is copied.
     *
     * @param file with its version, which the copy has
     */
    public record Source(LocatedFile file, StoredObject info) {
        Precondition unchanged() {
            return new Precondition.SameVersion(
                    file.status().path(), file.status().version());
        }
    }

    /**
     * An object that a copy made.
     *
     * @param etag without quotes
     */
    public record Copied(String etag, long mtimeMillis) {}

    public Source find(UserMount mount, String bucket, String key) throws IOException {
        FilePath directory = paths.bucket(bucket);
        Optional<LocatedFile> found = mount.locate(paths.path(directory, key));
        if (found.isEmpty() && !MountBuckets.exists(mount, directory)) {
            throw S3Exception.noSuchBucket(bucket);
        }
        LocatedFile file = found.orElseThrow(() -> S3Exception.noSuchKey(key));
        return new Source(file, mount.info(key, file));
    }

    /**
     * Copies an object.
     *
     * @param headers of the copy; empty: those of the source
     * @param tags of the copy; empty: those of the source
     */
    public Copied copy(
            UserMount mount,
            Source source,
            String bucket,
            String key,
            Optional<SortedMap<String, String>> headers,
            Optional<String> tags,
            WriteCondition condition)
            throws IOException {
        FilePath directory = paths.bucket(bucket);
        FilePath path = paths.path(directory, key);
        FilePath from = source.file().status().path();
        StoredObject info = source.info();
        ObjectAttributes kept = info.isAsWritten()
                ? info.attributes()
                : info.attributes().withSums(new TreeMap<>()).withParts("", "");
        ObjectAttributes attributes = kept.withHeaders(headers.orElse(kept.headers()))
                .withTags(tags.orElse(kept.tags()))
                .with(clock.mark(info.etag(), info.length()));
        boolean isSelf = from.equals(path) || from.equals(KeyPaths.self(path));
        if (isSelf && headers.isEmpty() && tags.isEmpty()) {
            throw S3Exception.request("an object is copied to itself only with other headers or tags");
        }
        EtagMark mark = attributes.etag().orElseThrow();
        if (isSelf) {
            change(mount, source, attributes);
        } else {
            FilePath scratch = ObjectPlacement.scratch();
            Operation clone = new Operation.CloneFile(from, scratch, false, WriteClock.change(attributes, false));
            new ObjectPlacement(mount, bucket, directory, key, path, condition)
                    .place(new ObjectPlacement.Move(List.of(source.unchanged()), List.of(clone), scratch, List.of()));
        }
        return new Copied(mark.etag(), mark.millis());
    }

    private static void change(UserMount mount, Source source, ObjectAttributes attributes) throws IOException {
        Operation set =
                new Operation.SetAttributes(source.file().status().path(), WriteClock.change(attributes, false));
        VectorResult result = mount.bdt().apply(new OperationVector(List.of(source.unchanged()), List.of(set)));
        if (result instanceof VectorResult.Refused) {
            throw new S3Exception(S3Code.CONDITIONAL_REQUEST_CONFLICT, "the object changed meanwhile; try again");
        }
    }
}
