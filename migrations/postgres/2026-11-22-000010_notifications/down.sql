UPDATE deliveries SET body = notifications.body FROM notifications
    WHERE deliveries.body = '' AND notifications.event_id = deliveries.event_id
        AND notifications.api_version = deliveries.api_version;
DROP TABLE notifications;
