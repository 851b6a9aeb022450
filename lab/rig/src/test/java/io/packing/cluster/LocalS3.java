// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster;

import java.io.InputStream;
import java.net.URI;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** An S3 server with one bucket, in memory. */
final class LocalS3 implements AutoCloseable {
    static final String BUCKET = "bucket";

    private final TransientNio2BlobStore store = new TransientNio2BlobStore();
    private final S3Proxy server;

    LocalS3() throws Exception {
        store.createContainer(BUCKET);
        // Alluxio mounts only a folder that it can see. A folder of S3 is an empty object.
        store.putBlob(
                PutObjectRequest.builder()
                        .bucket(BUCKET)
                        .key("direct/")
                        .contentLength(0L)
                        .build(),
                InputStream.nullInputStream());
        server = S3Proxy.builder()
                .blobStore(store)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, "ak", "sk")
                .ignoreUnknownHeaders(true)
                .build();
        server.start();
    }

    S3Mount mount() {
        return new S3Mount(URI.create("http://127.0.0.1:" + server.getPort()), "ak", "sk");
    }

    int objects() {
        return store.list(BUCKET).contents().size();
    }

    @Override
    public void close() throws Exception {
        server.stop();
        store.close();
    }
}
