// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.hadoop;

import io.packing.lab.direct.DirectClient;
import io.packing.lab.direct.RepeatedPuts;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;

/** S3A as Hadoop ships it: only the address, the keys and the folder of its buffers are set. */
public final class S3aClient implements DirectClient {
    private static final String SCHEME = "s3a://";

    private final FileSystem files;
    private final Path root;
    private final RepeatedPuts repeated = new RepeatedPuts();

    private S3aClient(FileSystem files, Path root) {
        this.files = files;
        this.root = root;
    }

    /**
     * Opens a client of the objects below a prefix of the bucket.
     *
     * @param scratch a folder for the files that S3A buffers
     */
    public static S3aClient open(S3Process s3, String prefix, java.nio.file.Path scratch) throws IOException {
        URI root = URI.create(SCHEME + S3Process.BUCKET + "/" + prefix);
        return new S3aClient(FileSystem.newInstance(root, configuration(s3, scratch)), new Path(root));
    }

    private static Configuration configuration(S3Process s3, java.nio.file.Path scratch) {
        Configuration configuration = new Configuration();
        configuration.set("hadoop.tmp.dir", scratch.toString());
        configuration.set("fs.s3a.endpoint", s3.endpoint().toString());
        configuration.set("fs.s3a.endpoint.region", "us-east-1");
        configuration.set("fs.s3a.access.key", s3.accessKey());
        configuration.set("fs.s3a.secret.key", s3.secretKey());
        configuration.set("fs.s3a.path.style.access", "true");
        configuration.set("fs.s3a.connection.ssl.enabled", "false");
        return configuration;
    }

    @Override
    public String settings() {
        Configuration shipped = files.getConf();
        return "S3A of Hadoop %s: fs.s3a.attempts.maximum=%s, fs.s3a.retry.limit=%s, fs.s3a.retry.throttle.limit=%s"
                .formatted(
                        VersionInfo.getVersion(),
                        shipped.get("fs.s3a.attempts.maximum"),
                        shipped.get("fs.s3a.retry.limit"),
                        shipped.get("fs.s3a.retry.throttle.limit"));
    }

    private Path path(String key) {
        return new Path(root, key);
    }

    @Override
    public void put(String key, byte[] bytes) throws IOException {
        repeated.run(() -> {
            try (FSDataOutputStream out = files.create(path(key))) {
                out.write(bytes);
            }
        });
    }

    @Override
    public void put(String key, java.nio.file.Path file) throws IOException {
        repeated.run(() -> {
            try (InputStream in = Files.newInputStream(file);
                    OutputStream out = files.create(path(key))) {
                long unused = in.transferTo(out);
            }
        });
    }

    @Override
    public byte[] get(String key, int length) throws IOException {
        try (FSDataInputStream in = files.open(path(key))) {
            // One byte more than the object should have.
            return in.readNBytes(length + 1);
        }
    }

    @Override
    public long repeated() {
        return repeated.count();
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
