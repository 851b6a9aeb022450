// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** The headers of server-side encryption on the requests that create objects; the signature covers them. */
record EncryptionHeaders(Map<String, String> headers) implements ExecutionInterceptor {
    private static final Set<Class<? extends SdkRequest>> CREATING =
            Set.of(PutObjectRequest.class, CreateMultipartUploadRequest.class, CopyObjectRequest.class);

    @Override
    public SdkHttpRequest modifyHttpRequest(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
        return CREATING.contains(context.request().getClass())
                ? context.httpRequest().copy(request -> headers.forEach(request::putHeader))
                : context.httpRequest();
    }
}
