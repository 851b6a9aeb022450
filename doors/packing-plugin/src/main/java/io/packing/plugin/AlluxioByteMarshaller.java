// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Messages as the bytes that they are, for the gRPC of Alluxio. The gRPC of all other classes of ours is another one here: the
 * extension has it under a name of its own.
 */
final class AlluxioByteMarshaller implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
        return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
