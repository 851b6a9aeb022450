package io.packing.s3server;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/**
 * Hands bodies on in as large pieces as they are asked for, and not as they come from the network. The store below writes
 * every piece as it gets it, and a file system takes twice as long for pieces that do not start and end with a page.
 */
final class WholePages extends ForwardingBlobStore {
    WholePages(BlobStore store) {
        super(store);
    }

    @Override
    public PutObjectResponse putBlob(PutObjectRequest request, InputStream body) {
        return super.putBlob(request, new Filled(body));
    }

    private static final class Filled extends FilterInputStream {
        Filled(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = in.readNBytes(target, offset, length);
            return count == 0 && length > 0 ? -1 : count;
        }
    }
}
