// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster;

import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** An S3 server with one bucket, in memory. */
final class LocalS3 implements AutoCloseable {
    static final String BUCKET = "bucket";

    /** The refusals of each object below a folder {@code refused}, more than a client repeats a PUT by itself. */
    private static final int REFUSALS = 12;

    private final Map<String, AtomicInteger> tries = new ConcurrentHashMap<>();
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
                .blobStore(refusing())
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, "ak", "sk")
                .ignoreUnknownHeaders(true)
                .build();
        server.start();
    }

    private BlobStore refusing() {
        return (BlobStore) Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(), new Class<?>[] {BlobStore.class}, (proxy, method, given) -> {
                    if (given != null && given[0] instanceof PutObjectRequest put && isRefused(put.key())) {
                        throw new IllegalStateException("refused by the test");
                    }
                    try {
                        return method.invoke(store, given);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private boolean isRefused(String key) {
        return key.contains("refused/0")
                && tries.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet() <= REFUSALS;
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
