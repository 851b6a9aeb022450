/** Measurements of the daemons' page: how soon a browser shows it, and what it costs those who write meanwhile. */
@NullMarked
package io.packing.lab.page;

import org.jspecify.annotations.NullMarked;
