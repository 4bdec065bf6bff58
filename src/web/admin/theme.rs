//! `/admin/themes`: the themes, and the preview of a card in one of them.

use maud::html;

use super::page::{self, optional_time, table};
use super::site::OperatorRequest;
use crate::operation::theme;
use crate::web::card::{self, CardView, Frame};
use crate::web::page::Outcome;

pub(super) async fn list(request: &OperatorRequest<'_>) -> Outcome {
    let all = theme::all(&request.context.services).await?;
    let rows = all.iter().map(|(theme, retired_at)| {
        let preview = request.context.path(&format!("/themes/{}", theme.number));
        vec![
            html! { (theme.position) },
            html! { (theme.number) },
            html! { a href=(preview) { (theme.title) } },
            html! { (theme.handle) },
            html! { (theme.images.len()) },
            html! { (theme.videos.len()) },
            optional_time(*retired_at),
        ]
    });
    let heads = ["Position", "Number", "Title and preview", "Handle", "Images", "Videos", "Retired"];
    Ok(page::page(request, "Themes", &None, table("Themes", &heads, &rows.collect::<Vec<_>>())))
}

/// `/admin/themes/<number>`: a card with the data of an example.
pub(super) async fn preview(request: &OperatorRequest<'_>, number: &str) -> Outcome {
    let all = theme::all(&request.context.services).await?;
    let Some((theme, _)) = all.into_iter().find(|(theme, _)| theme.number.to_string() == number) else {
        return Ok(page::not_found(request.context));
    };
    let notice = html! {
        span lang="en" {
            "Preview of the theme " (theme.title) ". "
            a href=(request.context.path("/themes")) { "Back to the themes" }
        }
    };
    let view = CardView::example(request.context, &theme);
    Ok(card::render(request.context, &view, &Frame { notice: Some(notice), ..Frame::default() }))
}
