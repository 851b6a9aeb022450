// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.IOException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers of the protocol to requests that the HTTP server refuses before a handler sees them, such as paths that lead above the root. */
public final class S3ServerErrors extends ErrorHandler {
    private static final int SERVER_ERRORS = 500;

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        S3Code code = response.getStatus() >= SERVER_ERRORS ? S3Code.INTERNAL_ERROR : S3Code.INVALID_URI;
        S3Exchange.refuseUnread(response, new S3Exception(code, "the server does not take the request"), "0");
        callback.succeeded();
        return true;
    }
}
