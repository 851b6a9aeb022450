// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.DeniedException;
import io.packing.bdt.Operation;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.s3gateway.auth.ChecksumAlgorithm;
import io.packing.s3gateway.auth.ObjectBody;
import io.packing.s3gateway.auth.ObjectSums;
import io.packing.worker.api.CreateOptions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes of whole objects. A small object is read and checked first, and becomes a file at the path of its key in one step, attributes
 * included. The bytes of any other object go to a scratch file, and those of an object whose path is not free for a file. When they are as
 * durable as the mount asks, one vector gives that file its attributes and moves it to the path. A request that ends before leaves nothing that a reader
 * sees.
 */
public final class ObjectWriter {
    /** The largest object that one request makes, as in S3. */
    public static final long MOST_BYTES = 5L << 30;

    private static final Logger LOG = LoggerFactory.getLogger(ObjectWriter.class);
    private static final int MODE = 0644;
    private static final int BUFFER = 128 << 10;
    /** The largest object that a thread keeps in memory until its checksums are known. */
    private static final int MOST_SMALL = 1 << 20;

    private static final int LEAST_BUFFER = 1 << 10;

    private final KeyPaths paths;
    private final WriteClock clock;
    private final SeenDirectories directories = new SeenDirectories();

    public ObjectWriter(KeyPaths paths, WriteClock clock) {
        this.paths = paths;
        this.clock = clock;
    }

    /**
     * An object that was written.
     *
     * @param etag without quotes
     * @param sums checksum headers
     */
    public record Written(String etag, SortedMap<String, String> sums) {}

    /** Writes the bytes of a request to a new file; its end has them all, checked, or no file is there. */
    static ObjectSums write(UserMount mount, FilePath file, CreateOptions creation, ObjectBody body)
            throws IOException {
        try (NewObjectFile out = new NewObjectFile(mount.files().create(file, creation))) {
            byte[] buffer = new byte[(int) Math.max(LEAST_BUFFER, Math.min(BUFFER, body.length()))];
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                out.write(buffer, n);
            }
            ObjectSums sums = body.sums();
            FileVersion unused = out.complete();
            return sums;
        }
    }

    private static FileVersion write(UserMount mount, FilePath file, CreateOptions creation, byte[] bytes)
            throws IOException {
        try (NewObjectFile out = new NewObjectFile(mount.files().create(file, creation))) {
            out.write(bytes, bytes.length);
            return out.complete();
        }
    }

    /** Returns the headers of the checksum that a client asked for. */
    static SortedMap<String, String> headers(ObjectSums sums) {
        SortedMap<String, String> headers = new TreeMap<>();
        sums.algorithm().map(ChecksumAlgorithm::header).ifPresent(name -> {
            headers.put(name, sums.value());
            headers.put("x-amz-checksum-type", "FULL_OBJECT");
        });
        return headers;
    }

    /** Writes an object; returns when it is as durable as the mount asks. */
    public Written put(
            UserMount mount,
            String bucket,
            String key,
            ObjectBody body,
            ObjectAttributes attributes,
            WriteCondition condition)
            throws IOException {
        FilePath directory = paths.bucket(bucket);
        FilePath path = paths.path(directory, key);
        ObjectPlacement placement = new ObjectPlacement(mount, bucket, directory, key, path, condition);
        placement.check();
        if (body.length() > MOST_SMALL) {
            FilePath scratch = ObjectPlacement.scratch();
            ObjectSums sums = write(mount, scratch, mount.creation(path, MODE, true), body);
            return place(mount, placement, scratch, complete(attributes, sums, body.length()));
        }
        byte[] bytes = body.readAllBytes();
        ObjectAttributes complete = complete(attributes, body.sums(), bytes.length);
        // An older version of the object that a condition names, or that stays until the store has the new one, is
        // replaced by a vector.
        boolean isPlain = condition.etag().isEmpty() && !mount.files().isUploaded(path);
        FilePath parent = path.parent().orElseThrow();
        if (isPlain && directories.has(parent) && putAtOnce(mount, path, bytes, complete, !condition.isAbsent())) {
            return written(complete);
        }
        FilePath scratch = ObjectPlacement.scratch();
        FileVersion unused = write(mount, scratch, mount.creation(path, MODE, true), bytes);
        Written written = place(mount, placement, scratch, complete);
        directories.add(parent);
        return written;
    }

    private ObjectAttributes complete(ObjectAttributes given, ObjectSums sums, long length) {
        return given.withSums(headers(sums)).with(clock.mark(sums.md5(), length));
    }

    private static Written written(ObjectAttributes complete) {
        return new Written(complete.etag().orElseThrow().etag(), complete.sums());
    }

    /** Writes a file at the path of its key; returns false if the path is not free for that, or the user may not write so. */
    private boolean putAtOnce(
            UserMount mount, FilePath path, byte[] bytes, ObjectAttributes complete, boolean overwrite)
            throws IOException {
        CreateOptions creation = new CreateOptions(mount.user(), "", MODE, false, overwrite);
        EtagMark mark = complete.etag().orElseThrow();
        RareAttributeChange extra = new RareAttributeChange(complete.steps(true), mark.nanos(), Optional.empty());
        try {
            FileVersion version = write(mount, path, creation.with(mark.millis(), extra), bytes);
            mount.recent().put(version, bytes);
            return true;
        } catch (FileAlreadyExistsException e) {
            if (e.getReason() == null) {
                throw ObjectPlacement.failed("an object is at the key");
            }
            return false;
        } catch (NoSuchFileException | NotDirectoryException e) {
            directories.remove(path.parent().orElseThrow());
            return false;
        } catch (DeniedException e) {
            // A rename replaces a file of another owner, too; it will tell what the user lacks.
            return false;
        } catch (IllegalArgumentException e) {
            LOG.debug(
                    "a worker does not take {} with its attributes: it is older, or files wait for the store", path, e);
            return false;
        }
    }

    private static Written place(
            UserMount mount, ObjectPlacement placement, FilePath scratch, ObjectAttributes complete)
            throws IOException {
        boolean done = false;
        try {
            Operation set = new Operation.SetAttributes(scratch, WriteClock.change(complete, true));
            placement.place(new ObjectPlacement.Move(List.of(), List.of(set), scratch, List.of()));
            done = true;
        } finally {
            if (!done) {
                forget(mount, scratch);
            }
        }
        return written(complete);
    }

    /** Deletes a scratch file; if that fails the master does so after a day. */
    private static void forget(UserMount mount, FilePath scratch) {
        try {
            Object unused = mount.bdt().delete(scratch, false);
        } catch (IOException | RuntimeException e) {
            LOG.info("a scratch file of user {} stays for a day: {}", mount.user(), e.toString());
        }
    }
}
