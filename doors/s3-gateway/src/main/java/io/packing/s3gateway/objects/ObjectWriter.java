// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import io.packing.s3gateway.auth.ChecksumAlgorithm;
import io.packing.s3gateway.auth.ObjectBody;
import io.packing.s3gateway.auth.ObjectSums;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes of whole objects. The bytes go to a scratch file; when they are as durable as the mount asks, one vector gives the file its
 * attributes and moves it to the path of its key. A request that ends before leaves nothing that a reader sees.
 */
public final class ObjectWriter {
    /** The largest object that one request makes, as in S3. */
    public static final long MOST_BYTES = 5L << 30;

    private static final Logger LOG = LoggerFactory.getLogger(ObjectWriter.class);
    private static final int MODE = 0644;
    private static final int BUFFER = 128 << 10;
    private static final int LEAST_BUFFER = 1 << 10;

    private final KeyPaths paths;
    private final WriteClock clock;

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
        PackingOutput out = mount.files().create(file, creation);
        boolean done = false;
        try {
            byte[] buffer = new byte[(int) Math.max(LEAST_BUFFER, Math.min(BUFFER, body.length()))];
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                out.write(buffer, 0, n);
            }
            ObjectSums sums = body.sums();
            out.close();
            done = true;
            return sums;
        } finally {
            if (!done) {
                out.abort();
            }
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
        FilePath scratch = ObjectPlacement.scratch();
        ObjectSums sums = write(mount, scratch, mount.creation(path, MODE, true), body);
        String etag = sums.md5();
        ObjectAttributes complete = attributes.withSums(headers(sums)).with(clock.mark(etag, body.length()));
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
        return new Written(etag, complete.sums());
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
