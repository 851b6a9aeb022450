// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import io.micrometer.core.instrument.MeterRegistry;
import io.packing.registry.web.HttpFront;
import io.packing.s3gateway.auth.AccessKeys;
import io.packing.s3gateway.auth.Authenticator;
import io.packing.s3gateway.http.BucketEndpoint;
import io.packing.s3gateway.http.CopyEndpoint;
import io.packing.s3gateway.http.MultipartEndpoint;
import io.packing.s3gateway.http.ObjectEndpoint;
import io.packing.s3gateway.http.S3Handler;
import io.packing.s3gateway.http.S3ServerErrors;
import io.packing.s3gateway.http.TagEndpoint;
import io.packing.s3gateway.objects.KeyPaths;
import io.packing.s3gateway.objects.MountBuckets;
import io.packing.s3gateway.objects.MultipartUploads;
import io.packing.s3gateway.objects.ObjectCopier;
import io.packing.s3gateway.objects.ObjectDeletion;
import io.packing.s3gateway.objects.ObjectListing;
import io.packing.s3gateway.objects.ObjectWriter;
import io.packing.s3gateway.objects.UploadCompletion;
import io.packing.s3gateway.objects.UserMounts;
import io.packing.s3gateway.objects.WriteClock;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** A gateway that serves until it is closed. All that it knows is in the mount: any number of gateways may serve one. */
public final class S3GatewayServer implements AutoCloseable {
    private final HttpFront http;

    private S3GatewayServer(HttpFront http) {
        this.http = http;
    }

    /**
     * Starts a gateway; when this returns it answers.
     *
     * @param mounts the caller closes them after the gateway
     * @param random numbers for any thread
     * @param nanoTime the time of the process's clock
     */
    public static S3GatewayServer start(
            S3GatewayOptions options,
            AccessKeys keys,
            UserMounts mounts,
            MeterRegistry meters,
            Clock clock,
            RandomGenerator random,
            LongSupplier nanoTime)
            throws IOException {
        KeyPaths paths = new KeyPaths(options.base());
        WriteClock times = new WriteClock(clock, random);
        MultipartUploads uploads = new MultipartUploads(paths, times);
        CopyEndpoint copies = new CopyEndpoint(new ObjectCopier(paths, times));
        MultipartEndpoint multipart =
                new MultipartEndpoint(uploads, new UploadCompletion(paths, times, uploads), copies);
        ObjectDeletion deletion = new ObjectDeletion(paths);
        S3Handler handler = new S3Handler(
                new Authenticator(keys, clock),
                mounts,
                options.domain(),
                new BucketEndpoint(new MountBuckets(paths), deletion, new ObjectListing(paths), multipart),
                new ObjectEndpoint(
                        paths, new ObjectWriter(paths, times), deletion, copies, new TagEndpoint(paths), multipart),
                new S3GatewayMetrics(meters),
                nanoTime);
        return new S3GatewayServer(HttpFront.startToTheByte(
                "s3", options.host(), options.port(), handler, new S3ServerErrors(), options.tls()));
    }

    /** Returns the address where the gateway listens. */
    public URI uri() {
        return http.uri();
    }

    @Override
    public void close() throws IOException {
        http.close();
    }
}
