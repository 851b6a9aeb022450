// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static software.amazon.awssdk.utils.IoUtils.closeQuietly;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.Abortable;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;

/**
 * An interceptor that refuses answers which may be broken off. The HTTP client takes broken headers for all headers,
 * and the S3 client takes the missing body for an empty one: a listing without objects. A whole answer has a status of
 * three digits, and names the end of its body (RFC 9112, section 6.3). This reads the body to that end before the
 * client takes a part of it, except for bytes of objects.
 */
final class TruncationGuard implements ExecutionInterceptor {
    private static final int FIRST_FINAL_STATUS = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    /** The requests whose successful answers have a body. */
    private static final Set<Class<? extends SdkRequest>> WITH_BODY = Set.of(
            ListObjectsV2Request.class,
            DeleteObjectsRequest.class,
            CreateMultipartUploadRequest.class,
            CompleteMultipartUploadRequest.class);

    /** A failure that another attempt may not have. */
    private static final class BrokenAnswerException extends IOException {
        private static final long serialVersionUID = 1L;

        BrokenAnswerException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    @Override
    public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        SdkHttpResponse answer = context.httpResponse();
        int status = answer.statusCode();
        if (status < FIRST_FINAL_STATUS) {
            throw refused(context, "the answer broke off in its status %d".formatted(status));
        }
        boolean ends = context.httpRequest().method() == SdkHttpMethod.HEAD
                || status == NO_CONTENT
                || status == NOT_MODIFIED
                || answer.firstMatchingHeader("Content-Length").isPresent()
                || answer.firstMatchingHeader("Transfer-Encoding").isPresent();
        if (!ends) {
            throw refused(context, "the answer broke off in its headers");
        }
        return answer;
    }

    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        boolean successful = context.httpResponse().isSuccessful();
        if (context.responseBody().isEmpty() || (successful && context.request() instanceof GetObjectRequest)) {
            return context.responseBody();
        }
        byte[] body;
        try (InputStream in = context.responseBody().get()) {
            body = in.readAllBytes();
        } catch (IOException e) {
            throw broken("the answer broke off in its body", e);
        }
        if (body.length == 0
                && successful
                && WITH_BODY.contains(context.request().getClass())) {
            throw broken("the answer has no body", null);
        }
        return Optional.of(new ByteArrayInputStream(body));
    }

    /** Gives up the connection, too: the client would wait for the end of the answer before another use. */
    private static SdkClientException refused(Context.ModifyHttpResponse context, String message) {
        context.responseBody().ifPresent(body -> {
            if (body instanceof Abortable connection) {
                connection.abort();
            } else {
                closeQuietly(body, null);
            }
        });
        return broken(message, null);
    }

    private static SdkClientException broken(String message, @Nullable Throwable cause) {
        return SdkClientException.create(message, new BrokenAnswerException(message, cause));
    }
}
