// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.utils.IoUtils;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * The credentials of the one source that was asked for. The provider below renews them before they end. Thread-safe.
 */
public final class AskedCredentials implements AwsCredentialsProvider, SdkAutoCloseable {
    private final Source source;
    private final AwsCredentialsProvider provider;
    private final List<AutoCloseable> below;
    private volatile boolean worked;

    /** @param below closed with this, in their order */
    public AskedCredentials(Source source, AwsCredentialsProvider provider, List<AutoCloseable> below) {
        this.source = source;
        this.provider = provider;
        this.below = List.copyOf(below);
    }

    public Source source() {
        return source;
    }

    /** @throws CredentialsException naming the source, when it gives none */
    @Override
    public AwsCredentials resolveCredentials() {
        try {
            AwsCredentials found = provider.resolveCredentials();
            worked = true;
            return found;
        } catch (AbortedException | CredentialsException e) {
            throw e;
        } catch (RuntimeException e) {
            throw source.failed(e, worked);
        }
    }

    @Override
    public void close() {
        IoUtils.closeIfCloseable(provider, null);
        below.forEach(each -> IoUtils.closeQuietly(each, null));
    }

    @Override
    public String toString() {
        return source.text();
    }
}
